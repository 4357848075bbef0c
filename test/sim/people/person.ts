/**
 * Who answers: approves and denies, late, twice, through the inbox or directly; settles what is unknown, truthfully
 * where the world can be seen; raises limits; says more; loses patience and cancels.
 */
import type { Pull, Session } from '#runtime';
import type { InboxBody } from '../../../src/ledger/contract.ts';
import { openInbox } from '../../../src/ledger/inbox.ts';
import { SESSION } from '../agent/agent.ts';
import type { Oracle } from '../check/oracle.ts';
import type { Machine } from '../os/machine.ts';
import { theWorld } from '../world.ts';

/** What the person wants next: go on at once, close and come back, or nothing more (the turn is done). */
export type Wish = 'resume' | 'leave' | 'done';

export class Person {
  private patience = 3;
  private said = 0;
  private readonly machine: Machine;
  private readonly oracle: Oracle;
  /** Nobody makes trouble any more. */
  calm = false;

  constructor(machine: Machine, oracle: Oracle) {
    this.machine = machine;
    this.oracle = oracle;
  }

  async answer(pull: Pull, session: Session): Promise<Wish> {
    const { machine } = this;
    await machine.wait(machine.random.below(50));
    switch (pull.kind) {
      case 'finish':
        return 'done';
      case 'approval':
        await this.approve(pull.actionId, session);
        break;
      case 'handoff':
        if (this.patience-- <= 0) await session.cancel('person');
        else await this.say(session, 'try another way');
        break;
      case 'pause':
        if (pull.reason.startsWith('unknown:')) await this.settle(session);
        else if (pull.reason.startsWith('budget_exceeded:') && this.patience-- <= 0) await session.cancel('person');
        break;
      case 'tool':
        this.oracle.fail('a host tool was asked for');
    }
    if (session.state.turn?.phase === 'done') return 'done';
    return !this.calm && machine.chance(0.2) ? 'leave' : 'resume';
  }

  private async approve(actionId: string, session: Session): Promise<void> {
    const { machine, oracle } = this;
    // Others do not wait for the answer.
    if (!this.calm && machine.chance(0.4)) {
      theWorld().disturb('a.txt', `${theWorld().read('a.txt') ?? 'state\n'}meanwhile\n`);
    }
    const verdict = machine.chance(0.8) ? 'approve' : 'deny';
    if (verdict === 'approve') oracle.granted.approved.add(actionId);
    const note = machine.chance(0.2) ? { note: 'careful' } : {};
    if (machine.chance(0.4)) {
      await this.leave({ kind: 'approval', actionId, verdict, by: 'ann', ...note });
      // The second answer comes too late to matter, whatever it says.
      if (machine.chance(0.3)) await this.leave({ kind: 'approval', actionId, verdict: 'approve', by: 'bob' });
      return;
    }
    await session.approve(actionId, verdict, 'ann');
    oracle.acknowledged('approval.resolved', actionId);
    if (machine.chance(0.3)) await session.approve(actionId, 'approve', 'bob').catch(() => undefined);
  }

  private async settle(session: Session): Promise<void> {
    const { machine, oracle } = this;
    for (const { actionId, answer } of session.state.unknowns) {
      if (answer !== null) continue;
      const token = oracle.told.actions.get(actionId)?.token ?? null;
      const happened = token !== null && oracle.world.count(token) > 0;
      const said = machine.chance(0.3) ? 'unknown' : happened ? 'applied' : 'not-applied';
      if (machine.chance(0.4)) await this.leave({ kind: 'settle', actionId, answer: said, by: 'ann' });
      else {
        await session.settle(actionId, said, 'ann');
        oracle.acknowledged('unknown.settled', actionId);
      }
    }
  }

  /** Everything that is said has a number, so that it can be told apart. */
  private async say(session: Session, text: string): Promise<void> {
    await session.say(`${text} #${++this.said}.`);
  }

  async leaveWords(text: string): Promise<void> {
    await this.leave({ kind: 'input', text: `${text} #${++this.said}.` });
  }

  /** Leaves a message as another process would. */
  async leave(body: InboxBody): Promise<void> {
    const visitor = this.machine.process('visitor');
    const id = await this.machine.as(visitor, () => openInbox(SESSION).leave(body));
    this.oracle.left.add(id);
  }
}
