type Collection = { updateMany(filter: object, update: object): Promise<unknown> };

/** Lets the digests of users be due now, in the store of the notifications service. */
export async function makeDigestsDue(
  store: { collection(name: string): Collection },
  userIds: readonly string[],
): Promise<void> {
  const ids = [...userIds];
  // Digests wait for half a minute for notifications of just before.
  const at = new Date(Date.now() - 60_000);
  await store.collection('notifications').updateMany({ personId: { $in: ids } }, { $set: { digestAt: at } });
  await store.collection('digests').updateMany({ userId: { $in: ids } }, { $set: { at } });
}
