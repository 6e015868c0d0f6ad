import { objectUrl } from '@atrium/object-store/objects/object-url';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import type { Deps } from '../deps.ts';
import { recordDownloads } from './download-log.ts';

type File = {
  document_id: string;
  number: number;
  name: string;
  object_key: string;
  mimetype: string;
  extension: string;
  file_lost: boolean;
};
type DownloadLink = ReturnType<typeof objectUrl>;
type LinkDeps = Pick<Deps, 'db' | 'store' | 'downloads' | 'listed'>;

/** A link to a single file: recorded every time and counted as a download. */
export async function issueDownloadLink(deps: LinkDeps, { userId }: Caller, file: File): Promise<DownloadLink> {
  const link = objectUrl(deps.store, file.name, file);
  if (!('downloadUrl' in link)) return link;
  await recordDownloads(deps.db, userId, [{ documentId: file.document_id, fileNumber: file.number }]);
  deps.downloads.count(file.document_id);
  return link;
}

/** Links of a list, recorded unless the user was given the same link recently, so that polling clients are recorded once. */
export async function issueDownloadLinks(
  deps: LinkDeps,
  { userId }: Caller,
  files: readonly File[],
): Promise<DownloadLink[]> {
  const links = files.map((file) => objectUrl(deps.store, file.name, file));
  const linked = files
    .filter((_, at) => 'downloadUrl' in (links[at] ?? {}))
    .map((file) => ({ documentId: file.document_id, fileNumber: file.number }));
  const fresh = deps.listed.filterNew(userId, linked);
  await recordDownloads(deps.db, userId, fresh);
  deps.listed.add(userId, fresh);
  return links;
}
