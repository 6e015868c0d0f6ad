import { createProjectBody, type Project, updateProjectBody } from '@atrium/proto-events/http/projects';
import { z } from 'zod';
import { canHaveProgress, dueDay } from '#entities/project/project-labels.ts';

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

export type EditProjectValues = {
  name: string;
  description: string;
  priority: string;
  status: string;
  progress: number;
  endDate: string;
  budget: number | null;
  projectManager: string;
};

/**
 * `base` is the project that the form was filled with: unchanged progress is not sent, even if another user has
 * increased it since.
 */
export function editProjectSchema(project: Project, base: Project = project) {
  return z.preprocess(
    (values: EditProjectValues) => {
      const { progress, projectManager, ...rest } = values;
      const isProgressChanged = progress !== base.progress;
      return {
        ...rest,
        endDate: values.endDate || null,
        ...(isProgressChanged && { progress }),
        ...(projectManager && { projectManager }),
      };
    },
    updateProjectBody.superRefine((body, context) => checkProgress(project, body, context)),
  );
}

export function valuesOf(project: Project): EditProjectValues {
  const { name, description, priority, status, progress, budget } = project;
  return { name, description, priority, status, progress, budget, endDate: dueDay(project), projectManager: '' };
}

/** Returns the error if another user has increased progress since; the server uses the same text. */
export function progressDecreaseText(from: number, to: number): string {
  return `Progress cannot decrease from ${from}% to ${to}%`;
}

type StatusChange = { status?: string | undefined; progress?: number | undefined };

function checkProgress(project: Project, body: StatusChange, context: z.RefinementCtx): void {
  const addIssue = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message });
  if (project.status === 'completed' && body.status !== 'completed')
    addIssue('status', 'Cannot revert status from "Completed". Completed projects are final.');
  if (body.progress === undefined) return;
  if (body.progress < project.progress) addIssue('progress', progressDecreaseText(project.progress, body.progress));
  if (!canHaveProgress(body.status ?? project.status))
    addIssue('progress', 'Progress can only be updated when status is "In Progress" or "Completed"');
}
