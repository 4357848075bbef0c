// The loop inside a program of your own: a planner, one tool that the loop runs, one that this program runs.
//   node examples/embed.mjs
import { contractView, createHooks, createLoop, HookAbort } from 'belay';

const hooks = createHooks();
hooks.on('before_tool_call', ({ step }) => {
  if (step.tool === 'delete') throw new HookAbort('nothing is deleted here');
});

const loop = await createLoop({
  planner: {
    kind: 'list',
    name: 'three-steps',
    plan: () => [
      { description: 'add', tool: 'add', args: { a: 2, b: 3 } },
      { description: 'ask the host', tool: 'weather', args: { city: 'Lisbon' } },
      { description: 'delete everything', tool: 'delete' },
    ],
  },
  tools: { add: { effect: 'read', run: ({ a, b }) => a + b } },
  limits: { maxSteps: 10 },
  hooks,
});

const view = contractView();
loop.subscribe(1, (fact) => {
  const event = view(fact);
  if (event) console.log(event.seq, event.type, JSON.stringify(event.payload));
});

// A pull says what is needed; `resume` goes on from exactly there.
let pull = await loop.run('Show what a pull is');
while (pull.kind === 'tool') {
  for (const call of pull.calls) {
    console.log(`the host runs ${call.tool} for ${call.args.city}`);
    pull = await loop.resume({ actionId: call.actionId, result: { sky: 'clear' } });
  }
}
console.log(`${pull.kind}: ${pull.reason}`);
await loop.close('done');
