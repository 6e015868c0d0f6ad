import { type Screen, screens } from '../screens.ts';
import type { LoadWorkspace, VirtualUser } from '../virtual-users.ts';

/** Groups of one screen that all users see alike, such as the dashboard. */
const GROUPS_PER_SCREEN = 5;
/** Users who look at the same board or channel. */
const PER_PLACE = 25;
/** Boards, and channels, with a browser that runs the app's engine. With dashboards and trackers, these are 100. */
const ENGINES_PER_PLACE = 45;

/** Users whose screens show the same. If it has an engine, that of the first user. */
export type ThinGroup = { screen: Screen; users: VirtualUser[]; hasEngine: boolean };

const chunk = <Item>(items: readonly Item[], size: number): Item[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, index) => items.slice(index * size, (index + 1) * size));

/** Assigns a quarter of the users each to the dashboard, the tracker, a board, and a channel of Team Chat. */
export async function createThinGroups(workspace: LoadWorkspace, count: number): Promise<ThinGroup[]> {
  const users = Array.from(
    { length: count },
    (_, index) => workspace.members[index % workspace.members.length] as VirtualUser,
  );
  const [onDashboard = [], onTracker = [], onBoards = [], inChannels = []] = chunk(users, Math.ceil(count / 4));
  const sameScreen = (members: readonly VirtualUser[], screen: () => Screen): ThinGroup[] =>
    chunk(members, Math.ceil(members.length / GROUPS_PER_SCREEN)).map((group) => ({
      screen: screen(),
      users: group,
      hasEngine: true,
    }));
  const boards = chunk(onBoards, PER_PLACE).map((group, index) => ({
    screen: screens.board(workspace.projects[index % workspace.projects.length] ?? ''),
    users: group,
    hasEngine: index < ENGINES_PER_PLACE,
  }));
  const channels: ThinGroup[] = [];
  for (const group of chunk(inChannels, PER_PLACE))
    channels.push({
      screen: screens.chat(await workspace.createChannel(group)),
      users: group,
      hasEngine: channels.length < ENGINES_PER_PLACE,
    });
  return [
    ...sameScreen(onDashboard, screens.dashboard),
    ...sameScreen(onTracker, screens.tracker),
    ...boards,
    ...channels,
  ];
}
