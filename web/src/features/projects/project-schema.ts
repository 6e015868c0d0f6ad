import { createProjectBody, type Project, updateProjectBody } from '@atrium/proto-events/http/projects';
import { z } from 'zod';
import { takesProgress } from './project-status.ts';

/** What the New Project form holds; days as `YYYY-MM-DD` or empty. */
export type NewProjectValues = {
  name: string;
  description: string;
  projectManager: string;
  priority: string;
  status: string;
  teamMembers: string[];
  startDate: string;
  deadline: string;
  budget: number | null;
};

export const newProjectSchema = z.preprocess(
  (values: NewProjectValues) => ({
    ...values,
    startDate: values.startDate || null,
    deadline: values.deadline || null,
  }),
  createProjectBody,
);

/** What the Edit Project form holds. */
export type EditProjectValues = {
  name: string;
  description: string;
  priority: string;
  status: string;
  progress: number;
  endDate: string;
  budget: number | null;
};

/** The contract's rules and those that compare with the project as it is (specification, section 5). */
export function editProjectSchema(project: Project) {
  return z.preprocess(
    (values: EditProjectValues) => {
      const { progress, ...rest } = values;
      const isMoved = progress !== project.progress;
      return { ...rest, endDate: values.endDate || null, ...(isMoved ? { progress } : {}) };
    },
    updateProjectBody.superRefine((body, context) => checkProgress(project, body, context)),
  );
}

/** Said as soon as the slider is there, and by the server. */
export function decrease(from: number, to: number): string {
  return `Progress cannot decrease from ${from}% to ${to}%`;
}

type Moved = { status?: string | undefined; progress?: number | undefined };

function checkProgress(project: Project, body: Moved, context: z.RefinementCtx): void {
  const fault = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message });
  if (project.status === 'completed' && body.status !== 'completed')
    fault('status', 'Cannot revert status from "Completed". Completed projects are final.');
  if (body.progress === undefined) return;
  if (body.progress < project.progress) fault('progress', decrease(project.progress, body.progress));
  if (!takesProgress(body.status ?? project.status))
    fault('progress', 'Progress can only be updated when status is "In Progress" or "Completed"');
}
