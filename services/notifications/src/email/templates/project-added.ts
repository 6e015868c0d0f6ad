import { isolate } from '@atrium/proto-events/text/isolate';
import type { EmailLayout } from './email-layout.ts';

type ProjectAddedParams = { actor: string | null; projectName: string; asManager: boolean; url: string };

export function projectAddedEmail({ actor, projectName, asManager, url }: ProjectAddedParams): EmailLayout {
  const role = asManager ? 'as the project manager' : 'to the project team';
  return {
    subject: `You were added to ${isolate(projectName)}`,
    heading: projectName,
    paragraphs: [
      actor === null ? `You were added ${role}.` : `${isolate(actor)} added you ${role}.`,
      'You now have access to the project’s conversation in Team Chat and to its team documents in the Document Hub.',
    ],
    action: { label: 'Open the project', url },
    footnote: 'You received this email because you are now a member of this project.',
  };
}
