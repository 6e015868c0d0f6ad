import { createHash } from 'node:crypto';

/** The first 24 hexadecimal characters of a SHA-256: the layout of every id, and 96 bits against an accident. */
const idOf = (name: string) => createHash('sha256').update(name).digest('hex').slice(0, 24);

/** The one id of the direct conversation of two people, whoever begins: the primary key keeps it single. */
export function directConversationId(one: string, other: string): string {
  return idOf(`direct:${[one, other].sort().join(':')}`);
}

/** The one id of a project's conversation. */
export function projectConversationId(projectId: string): string {
  return idOf(`project:${projectId}`);
}
