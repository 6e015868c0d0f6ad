import type { Role } from '../people.ts';

/** The user who sees a resource. A service's `Caller` is one. */
export type Viewer = { userId: string; role: Role; departmentId?: string | null };

/** The reason why each denied ability is denied; undefined for those allowed. */
export type DenialReasons<Ability extends string> = Record<Ability, string | undefined>;

export const toAbilities = <Ability extends string>(denialReasons: DenialReasons<Ability>): Record<Ability, boolean> =>
  Object.fromEntries(
    Object.entries(denialReasons).map(([ability, reason]) => [ability, reason === undefined]),
  ) as Record<Ability, boolean>;
