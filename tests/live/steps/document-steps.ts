import { uploadForm } from '../../workspace/builders.ts';
import { expectStatus, send } from '../../workspace/workspace.ts';
import { type Document, uploadDocument, type Workspace } from '../workspace-state.ts';
import { call, removeFrom, type Steps } from './step.ts';

const change = (createChange: (workspace: Workspace) => object) => (workspace: Workspace) => {
  const { _id, uploader } = workspace.pick(workspace.documents);
  return call(uploader, 'PATCH', `/documents/${_id}`, createChange(workspace));
};

/** Shares with one of the recipients, or removes a share. */
const share =
  (method: 'POST' | 'DELETE', listRecipients: (workspace: Workspace) => readonly object[]) =>
  (workspace: Workspace) => {
    const { documents, pick } = workspace;
    const { _id, uploader } = pick(documents);
    return call(uploader, method, `/documents/${_id}/share`, pick(listRecipients(workspace)));
  };

const listUsers = ({ users: { manager, outsider, colleague, nora } }: Workspace) =>
  [manager, outsider, colleague, nora].map(({ id }) => ({ userIds: [id] }));
const listGroups = ({ departments: { design }, projects: { main, other } }: Workspace) => [
  { departmentIds: [design] },
  { projectIds: [main] },
  { projectIds: [other] },
];

type Share = { kind: string; user?: { _id: string }; department?: { _id: string }; project?: string };

/** Removes a share that exists. */
async function unshare({ documents, pick }: Workspace): Promise<unknown> {
  const shares: [Document, Share][] = [];
  for (const document of documents) {
    const { data } = await call<{ data: Share[] }>(document.uploader, 'GET', `/documents/${document._id}/shares`);
    shares.push(...data.map((entry): [Document, Share] => [document, entry]));
  }
  const [{ _id, uploader }, { user, department, project }] = pick(shares);
  return call(uploader, 'DELETE', `/documents/${_id}/share`, {
    ...(user && { userIds: [user._id] }),
    ...(department && { departmentIds: [department._id] }),
    ...(project && { projectIds: [project] }),
  });
}

async function listDeleted({ users: { admin } }: Workspace) {
  return (await call<{ data: { _id: string; uploadedBy: { _id: string } }[] }>(admin, 'GET', '/documents/trash')).data;
}

/** The permanent deletion of a document has no event. */
export const DOCUMENT_STEPS: Steps = {
  'upload a document': async ({ url, users, projects, documents, pick, createName }) => {
    const uploader = pick([users.manager, users.member, users.admin]);
    const fields = pick<Record<string, string>>([
      { visibility: 'private' },
      { visibility: 'team' },
      { visibility: 'public', tags: createName() },
      { visibility: 'private', ...(uploader === users.manager && { project: projects.main }) },
    ]);
    documents.push({ _id: await uploadDocument(url, uploader, createName(), fields), uploader });
  },
  'rename a document': change(({ createName }) => ({ name: createName() })),
  'describe every document': async ({ documents, createName }) => {
    for (const { _id, uploader } of documents)
      await call(uploader, 'PATCH', `/documents/${_id}`, { description: createName() });
  },
  'tag a document': change(({ createName }) => ({ tags: [createName()] })),
  'change the visibility of a document': change(({ pick }) => ({ visibility: pick(['private', 'team', 'public']) })),
  'share a document with a user': share('POST', listUsers),
  'share a document with a group': share('POST', listGroups),
  'remove a share': unshare,
  'upload a version': async ({ url, documents, pick, createName }) => {
    const { _id, uploader } = pick(documents);
    const headers = { authorization: `Bearer ${uploader.token}` };
    const body = uploadForm(`${createName()}.txt`);
    await expectStatus(send(`${url}/api/documents/${_id}/versions`, { method: 'POST', headers, body }), 201);
  },
  'move a document to the trash': async ({ documents, pick }) => {
    const document = pick(documents);
    await call(document.uploader, 'DELETE', `/documents/${document._id}`);
    removeFrom(documents, document);
  },
  'restore a document': async (workspace) => {
    const { users, documents, pick } = workspace;
    const { _id, uploadedBy } = pick(await listDeleted(workspace));
    await call(users.admin, 'POST', `/documents/trash/${_id}/restore`);
    const uploader = Object.values(users).find(({ id }) => id === uploadedBy._id) ?? users.admin;
    documents.push({ _id, uploader });
  },
};
