import { ObjectId } from 'bson';

/** A new resource id: 24 lower-case hexadecimal characters that sort by the second they were made in (decisions, section 1). */
export function newId(): string {
  return new ObjectId().toHexString();
}
