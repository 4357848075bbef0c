/**
 * The provider SDKs turn a request into one JSON text. While that is made, V8 holds it twice, and of a long conversation
 * it is held until the answer has come: 10 MB for one of 5. In the bundle they hand the object on as it is; our `fetch`
 * makes the text of it piece by piece while it is sent.
 */
const module = /@ai-sdk\/provider-utils\/dist\/index\.js$/;
const whole = 'content: JSON.stringify(body),';

export const bodiesAsObjects = () => ({
  name: 'bodies-as-objects',
  transform(code: string, id: string): string | null {
    if (!module.test(id)) return null;
    const parts = code.split(whole);
    if (parts.length !== 2) throw new Error(`${id} makes the text of a request elsewhere than at \`${whole}\``);
    return parts.join('content: body,');
  },
});
