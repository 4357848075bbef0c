import { anthropic } from './anthropic.ts';
import { google } from './google.ts';
import { openaiChat } from './openai-chat.ts';
import { openaiResponses } from './openai-responses.ts';
import type { Protocol } from './protocol.ts';

/** The four wire formats, by the provider name that users write. */
export const protocols: readonly Protocol[] = [anthropic, openaiResponses, openaiChat, google];
