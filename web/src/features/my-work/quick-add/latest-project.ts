import { currentUserId } from '#lib/session/session.ts';
import { deviceStorage } from '#lib/storage.ts';
import type { NamedProject } from './find-project.ts';

const storageKey = () => `atrium:quick-add-project:${currentUserId() ?? ''}`;

export const recordLatestProject = (id: string): void => deviceStorage.write(storageKey(), id);

/** The project of a line that names none: the latest one, or the only one. */
export function findDefaultProject(projects: readonly NamedProject[]): NamedProject | undefined {
  const latestId = deviceStorage.read(storageKey());
  return projects.find(({ _id }) => _id === latestId) ?? (projects.length === 1 ? projects[0] : undefined);
}
