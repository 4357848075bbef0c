/** Runs a session with the example tools until it ends: REPOSITORY HOME MODEL SERVICE. */
import { openTicket } from '../../../examples/tools/open-ticket.mjs';
import { pay } from '../../../examples/tools/pay.mjs';
import { startRepositorySession } from '../../../src/assembly/library.ts';

const [cwd = '', home = '', model = '', service = ''] = process.argv.slice(2);
const tools = [openTicket(service), pay(service)];
const started = await startRepositorySession({
  cwd,
  home,
  tools,
  sessionId: 's',
  settings: { model, allow: ['OpenTicket', 'Pay', 'Edit(**)'] },
});
if (!started.ok) throw new Error(started.error.message);
await started.value.session.run('Go.');
await started.value.close('done');
