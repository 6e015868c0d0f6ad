import type { User } from '@atrium/proto-events/people';
import { selectTags } from '@atrium/web/realtime/live-changes';
import { createFrames } from './frames.ts';
import { monotonicMs } from './monotonic-clock.ts';
import { createReceipts } from './receipts.ts';
import { createScreenModel, type ScreenModel } from './screen-model.ts';
import { openThinClient, type ThinClient, type ThinClientObserver } from './thin-client.ts';
import type { ThinGroup } from './thin-groups.ts';

const OPEN_CONCURRENCY = 50;

export type OpenGroup = ThinGroup & { clients: ThinClient[]; model: ScreenModel; tags: ReadonlySet<string> };

/** Runs `open` for each item, a limited number at a time. */
export async function openConcurrently<Item>(items: readonly Item[], open: (item: Item) => Promise<void>) {
  const queue = items.values();
  const work = async () => {
    for (const item of queue) await open(item);
  };
  await Promise.all(Array.from({ length: OPEN_CONCURRENCY }, work));
}

/** Opens a client for each user of the groups, at each address in turn, and records what they receive. */
export async function openThinClients(urls: readonly string[], groups: readonly ThinGroup[]) {
  const frames = createFrames();
  const receipts = createReceipts(groups.reduce((sum, { users }) => sum + users.length, 0));
  const counts = { requests: 0, failures: 0, lost: 0, resyncs: 0 };
  const requestsByPath: Record<string, number> = {};
  const screens = groups.flatMap(({ screen, users }) => users.map(() => screen.name));
  const observer: ThinClientObserver = {
    onPacket(client, packet) {
      const at = monotonicMs();
      const frame = frames.receive(packet, client, at);
      const screen = screens[client];
      if (screen && frame.received.length > 0) receipts.record(client, screen, frame.received, at);
      return frame;
    },
    onRequest(key) {
      counts.requests += 1;
      const path = key.replace(/[0-9a-f]{24}/g, ':id');
      requestsByPath[path] = (requestsByPath[path] ?? 0) + 1;
    },
    count(name) {
      counts[name] += 1;
    },
  };
  const openGroups: OpenGroup[] = [];
  const pendingClients: (() => Promise<void>)[] = [];
  let nextIndex = 0;
  for (const group of groups) {
    const openGroup = await openGroupOf(urls[0] ?? '', group);
    openGroups.push(openGroup);
    for (const [position, user] of group.users.entries()) {
      const index = nextIndex++;
      const url = urls[index % urls.length] ?? '';
      const tags = tagsOf(group, { ...openGroup.viewer, _id: user._id });
      const { screen } = group;
      pendingClients.push(async () => {
        const isViewer = position === 0;
        const client = { index, url, user, screen, tags, model: openGroup.model, isViewer, observer };
        openGroup.clients[position] = await openThinClient(client);
      });
    }
  }
  await openConcurrently(pendingClients, (open) => open());
  await openConcurrently(openGroups, async ({ screen, clients }) => {
    await Promise.all(screen.keys.map((key) => clients[0]?.load(key)));
  });
  return {
    groups: openGroups,
    frames,
    receipts,
    counts,
    requestsByPath,
    begin() {
      frames.clear();
      receipts.clear();
      Object.assign(counts, { requests: 0, failures: 0, lost: 0, resyncs: 0 });
      for (const path of Object.keys(requestsByPath)) delete requestsByPath[path];
    },
    close() {
      for (const client of openGroups.flatMap(({ clients }) => clients)) client.close();
    },
  };
}

export type ThinClients = Awaited<ReturnType<typeof openThinClients>>;

const tagsOf = ({ screen }: ThinGroup, user: User) => selectTags(screen.keys, user).tags;

async function openGroupOf(url: string, group: ThinGroup): Promise<OpenGroup & { viewer: User }> {
  const [user] = group.users;
  const response = await fetch(`${url}/api/users/profile`, { headers: { authorization: `Bearer ${user?.token}` } });
  if (!response.ok) throw new Error(`Failed to load the profile of a client: ${response.status}`);
  const viewer = (await response.json()) as User;
  const clients: ThinClient[] = [];
  const model = createScreenModel({ screen: group.screen, viewer, onStale: (key) => clients[0]?.refetch(key) });
  const ownTag = `user:${viewer._id}`;
  const { open } = group.screen;
  const tags = new Set<string>(tagsOf(group, viewer).filter((tag) => tag !== ownTag));
  if (open !== undefined) tags.add(`open:${open}`);
  return { ...group, clients, model, tags, viewer };
}
