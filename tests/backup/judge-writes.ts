import type { Judge } from '../simulation/judge.ts';
import type { Account } from '../simulation/verify.ts';

/** What people make at work: of each of these something must have been looked for, before the cut and after it. */
const MADE = ['task', 'comment', 'project', 'message', 'meeting', 'document'];
const NOTHING = { acknowledged: 0, lost: [] };

export type Writes = {
  /** What had been acknowledged by the cut. */
  sure: Account;
  /** The same, with whatever was acknowledged next of each: it may have been done by then. */
  next: Account;
  /** What was begun after it. */
  late: Account;
};

/** What people did before the cut is there, and what they made after it is not. A kind of which there was nothing has not been tried. */
export function assertWrites({ sure, next, late }: Writes, judge: Judge): void {
  for (const kind of kindsOf(sure)) {
    const { acknowledged, lost } = sure[kind] ?? NOTHING;
    const alsoLost = new Set(next[kind]?.lost.map(pathOf));
    const gone = lost.filter((line) => alsoLost.has(pathOf(line)));
    judge(
      `${acknowledged} acknowledged before the cut of kind ${kind} are there`,
      acknowledged > 0 ? gone.slice(0, 5) : UNTRIED,
    );
  }
  for (const kind of kindsOf(late)) {
    const { acknowledged, lost } = late[kind] ?? NOTHING;
    const there = acknowledged - lost.length;
    const faults = there > 0 ? [`${there} are`] : [];
    judge(`none of ${acknowledged} of kind ${kind} from after the cut is there`, acknowledged > 0 ? faults : UNTRIED);
  }
}

const UNTRIED = ['there was nothing to look for'];
const kindsOf = (account: Account): string[] => [...new Set([...MADE, ...Object.keys(account)])];
const pathOf = (line: string): string => line.split(' ')[0] ?? '';
