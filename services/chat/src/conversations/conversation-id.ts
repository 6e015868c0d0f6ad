import { createHash } from 'node:crypto';

/** 24 hexadecimal characters of a SHA-256, in the format of all ids: 96 bits, so collisions are negligible. */
const idOf = (name: string) => createHash('sha256').update(name).digest('hex').slice(0, 24);

/** Symmetric, so the primary key allows one direct conversation per pair. */
export function directConversationId(one: string, other: string): string {
  return idOf(`direct:${[one, other].sort().join(':')}`);
}

export function projectConversationId(projectId: string): string {
  return idOf(`project:${projectId}`);
}
