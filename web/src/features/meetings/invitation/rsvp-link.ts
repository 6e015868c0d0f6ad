import { isId } from '../../../lib/is-id.ts';
import type { Answer, Scope } from '../use-meeting-actions.ts';

/** The names under which links in mails say what is answered; the meeting's id stands behind them. */
export const ANSWER_LINKS = ['accept', 'tentative', 'decline'] as const;
export type AnswerLink = (typeof ANSWER_LINKS)[number];

export const ANSWERS: Record<AnswerLink, { status: Answer; verb: string }> = {
  accept: { status: 'accepted', verb: 'Accept' },
  tentative: { status: 'tentative', verb: 'Respond Tentative' },
  decline: { status: 'declined', verb: 'Decline' },
};

export const isAnswerLink = (name: string): name is AnswerLink => ANSWER_LINKS.some((one) => one === name);

/** `<id>` is one meeting, `<id>-all` its series. */
export function targetOf(value: string): { id: string | null; scope: Scope } {
  const [id = '', of] = value.split('-', 2);
  return { id: isId(id) ? id : null, scope: of === 'all' ? 'all' : 'this' };
}
