import type { CallOf } from '@atrium/proto-events/endpoint';
import { type invite, inviteBody, type KnownEmail } from '@atrium/proto-events/http/invitations';
import { isId } from '#lib/paths.ts';
import { findDepartment, type InvitedRole, type InviteRow, type KnownDepartment, parseRole } from './invite-row.ts';

type RowField = 'email' | 'firstName' | 'lastName' | 'role' | 'department';
type Problems = Partial<Record<RowField, string>>;
export type InviteBody = CallOf<typeof invite>['body'];

export type CheckedRow = {
  row: InviteRow;
  role: InvitedRole | undefined;
  department: KnownDepartment | undefined;
  problems: Problems;
  body: InviteBody | undefined;
};

type CheckContext = {
  departments: readonly KnownDepartment[];
  defaults: { role: string; department: string };
  knownEmails: readonly KnownEmail[];
};

export function checkRows(rows: readonly InviteRow[], context: CheckContext): CheckedRow[] {
  const states = new Map(context.knownEmails.map(({ email, state }) => [email, state]));
  const seenEmails = new Set<string>();
  return rows.map((row) => {
    const role = parseRole(row.role || context.defaults.role);
    const department = findDepartment(row.department || context.defaults.department, context.departments);
    const email = inviteBody.shape.email.safeParse(row.email);
    const isRepeated = email.success && seenEmails.has(email.data);
    if (email.success) seenEmails.add(email.data);
    const problems = withoutEmpty({
      email:
        firstIssue(email) ??
        (isRepeated ? 'This address is in the list twice' : undefined) ??
        getInUseProblem(states.get(email.data ?? ''), row),
      firstName: firstIssue(inviteBody.shape.firstName.safeParse(row.firstName)),
      lastName: firstIssue(inviteBody.shape.lastName.safeParse(row.lastName)),
      role: role ? undefined : `Unknown role “${row.role}”`,
      department: department ? undefined : departmentProblem(row.department),
    });
    return { row, role, department, problems, body: toBody(row, { role, department, problems }) };
  });
}

export const isReady = ({ row, body }: CheckedRow): boolean => body !== undefined && row.failure?.isFinal !== true;

/** An existing invitation may be this row's own, whose response was lost; repeating the request returns its link. */
const getInUseProblem = (state: KnownEmail['state'] | undefined, { attempt }: InviteRow): string | undefined => {
  if (state === undefined || (state === 'invited' && attempt)) return undefined;
  return state === 'active' ? 'This person already has an account' : 'This person is already invited';
};

const departmentProblem = (text: string) =>
  text === '' || isId(text) ? 'Please select a department' : `Unknown department “${text}”`;

type Parsed = { success: true } | { success: false; error: { issues: readonly { message: string }[] } };
const firstIssue = (parsed: Parsed): string | undefined =>
  parsed.success ? undefined : (parsed.error.issues[0]?.message ?? 'Invalid');

const withoutEmpty = (byField: Record<RowField, string | undefined>): Problems =>
  Object.fromEntries(Object.entries(byField).filter(([, problem]) => problem !== undefined));

function toBody(
  { email, firstName, lastName }: InviteRow,
  { role, department, problems }: Pick<CheckedRow, 'role' | 'department' | 'problems'>,
): InviteBody | undefined {
  if (!role || !department || Object.keys(problems).length > 0) return undefined;
  return { email, firstName, lastName, role, department: department._id };
}
