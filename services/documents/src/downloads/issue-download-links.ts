import { linkOf } from '@atrium/object-store/objects/object-url';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import type { Deps } from '../deps.ts';
import { noteDownloads } from './download-log.ts';

/** A version of a document's file, and where its bytes are. */
type File = {
  document_id: string;
  number: number;
  name: string;
  object_key: string;
  mimetype: string;
  extension: string;
  file_lost: boolean;
};
type Given = ReturnType<typeof linkOf>;
type Giving = Pick<Deps, 'db' | 'store' | 'downloads' | 'listed'>;

/** A link to a file that somebody asks for alone: noted each time, and counted as a download. */
export async function issueDownloadLink(deps: Giving, { userId }: Caller, file: File): Promise<Given> {
  const link = linkOf(deps.store, file.name, file);
  if (!('downloadUrl' in link)) return link;
  await noteDownloads(deps.db, userId, [{ documentId: file.document_id, fileNumber: file.number }]);
  deps.downloads.count(file.document_id);
  return link;
}

/** Links to the files of a list, each noted unless this person was given it by a list a moment ago: what asks every few seconds has it once. */
export async function giveLinks(deps: Giving, { userId }: Caller, files: readonly File[]): Promise<Given[]> {
  const links = files.map((file) => linkOf(deps.store, file.name, file));
  const given = files
    .filter((_, at) => 'downloadUrl' in (links[at] ?? {}))
    .map((file) => ({ documentId: file.document_id, fileNumber: file.number }));
  const fresh = deps.listed.newOf(userId, given);
  await noteDownloads(deps.db, userId, fresh);
  deps.listed.remember(userId, fresh);
  return links;
}
