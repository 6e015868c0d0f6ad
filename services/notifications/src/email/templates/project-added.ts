import { isolate } from '@atrium/proto-events/text/isolate';
import type { EmailLayout } from './email-layout.ts';

type Given = { actor: string | null; projectName: string; asManager: boolean; url: string };

/** "Members are told by e-mail when they are added" (decisions, section 4). */
export function projectAddedLetter({ actor, projectName, asManager, url }: Given): EmailLayout {
  const role = asManager ? 'as its project manager' : 'to its team';
  return {
    subject: `You were added to ${isolate(projectName)}`,
    heading: projectName,
    paragraphs: [
      actor === null ? `You were added ${role}.` : `${isolate(actor)} added you ${role}.`,
      'The project’s conversation is open to you in Team Chat, and its team documents in the Document Hub.',
    ],
    action: { label: 'Open the project', url },
    footnote: 'You receive this because you are now one of the people of this project.',
  };
}
