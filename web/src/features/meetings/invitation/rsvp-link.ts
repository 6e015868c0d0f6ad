import { isId } from '../../../lib/is-id.ts';
import type { Answer, Scope } from '../use-meeting-actions.ts';

/** URL parameters of the links in invitation emails; the value identifies the meeting. */
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
