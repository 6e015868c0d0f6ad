import { isId } from '#lib/paths.ts';
import type { Rsvp, Scope } from './use-meeting-actions.ts';

/** URL parameters of the links in invitation emails; the value identifies the meeting. */
export const RSVP_LINKS = ['accept', 'tentative', 'decline'] as const;
export type RsvpLink = (typeof RSVP_LINKS)[number];

export const RSVPS: Record<RsvpLink, { status: Rsvp; verb: string }> = {
  accept: { status: 'accepted', verb: 'Accept' },
  tentative: { status: 'tentative', verb: 'Respond Tentative' },
  decline: { status: 'declined', verb: 'Decline' },
};

export const isRsvpLink = (name: string): name is RsvpLink => RSVP_LINKS.some((link) => link === name);

/** Parses the value of a link: `<id>` is one meeting, `<id>-all` its series. */
export function parseTarget(value: string): { id: string | null; scope: Scope } {
  const [id = '', suffix] = value.split('-', 2);
  return { id: isId(id) ? id : null, scope: suffix === 'all' ? 'all' : 'this' };
}
