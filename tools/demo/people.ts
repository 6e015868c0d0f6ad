import { toNormalForm } from '@atrium/proto-events/text/normal-form';
import type { DemoClient } from './client.ts';
import { createClient } from './client.ts';

export const DEMO_PASSWORD = 'Atrium#2026';

type Row = readonly [
  first: string,
  last: string,
  role: 'admin' | 'project_manager' | 'member',
  department: string,
  location: string,
];

const PEOPLE: readonly Row[] = [
  ['Maya', 'Okafor', 'admin', 'Product', 'Hamburg'],
  ['Jonas', 'Seidel', 'project_manager', 'Product', 'Leipzig'],
  ['Lena', 'Brandt', 'member', 'Design', 'Hamburg'],
  ['Aiko', 'Nakamura', 'member', 'Engineering', 'Berlin'],
  ['Tariq', 'Khoury', 'project_manager', 'Engineering', 'Berlin'],
  ['Ines', 'Vidal', 'member', 'Design', 'Lisbon'],
  ['Rui', 'Martins', 'member', 'Engineering', 'Lisbon'],
  ['Petra', 'Dvořák', 'member', 'HR', 'Prague'],
  ['Samuel', 'Ortiz', 'member', 'Engineering', 'Madrid'],
  ['Hanna', 'Lindqvist', 'project_manager', 'Marketing', 'Stockholm'],
  ['Emeka', 'Adeyemi', 'member', 'Engineering', 'Hamburg'],
  ['Sofia', 'Rossi', 'member', 'Marketing', 'Milan'],
  ['Noah', 'Fischer', 'member', 'Engineering', 'Leipzig'],
  ['Chiara', 'Conti', 'member', 'Design', 'Milan'],
  ['Mikael', 'Berg', 'member', 'Engineering', 'Stockholm'],
  ['Zeynep', 'Kaya', 'member', 'Product', 'Berlin'],
  ['Oliver', 'Grant', 'member', 'Marketing', 'Leeds'],
  ['Amélie', 'Laurent', 'member', 'Product', 'Lyon'],
  ['Dmitri', 'Volkov', 'member', 'Engineering', 'Prague'],
  ['Grace', 'Mwangi', 'member', 'HR', 'Hamburg'],
  ['Luca', 'Moretti', 'member', 'Engineering', 'Milan'],
  ['Freya', 'Nielsen', 'member', 'Design', 'Aarhus'],
  ['Yusuf', 'Demir', 'member', 'Marketing', 'Berlin'],
  ['Ana', 'Sousa', 'member', 'Engineering', 'Porto'],
];

export type DemoPerson = { id: string; name: string; first: string; email: string; role: Row[2]; client: DemoClient };

type Auth = { accessToken: string; user: { _id: string } };

export const demoEmail = (localPart: string) => `${localPart}@atrium.example`;

const toDemoEmail = (first: string) => demoEmail(toNormalForm(first.toLowerCase(), 'NFD').replace(/[^a-z]/g, ''));

export async function invitePeople(baseUrl: string, setupToken?: string): Promise<DemoPerson[]> {
  const anonymous = createClient(baseUrl);
  const [[first, last]] = PEOPLE as [Row];
  const admin = await anonymous.post<Auth>('/auth/register', {
    email: toDemoEmail(first),
    password: DEMO_PASSWORD,
    firstName: first,
    lastName: last,
    ...(setupToken && { setupToken }),
  });
  const adminClient = createClient(baseUrl, admin.accessToken);
  const departments = await adminClient.get<{ data: { _id: string; name: string }[] }>('/departments?limit=100');
  const departmentId = (name: string) => departments.data.find((department) => department.name === name)?._id ?? null;
  await adminClient.patch('/users/profile', {
    department: departmentId('Product'),
    location: 'Hamburg',
    bio: 'Keeps Atrium in order.',
  });

  const people: DemoPerson[] = [
    {
      id: admin.user._id,
      name: `${first} ${last}`,
      first,
      email: toDemoEmail(first),
      role: 'admin',
      client: adminClient,
    },
  ];
  for (const [firstName, lastName, role, department, location] of PEOPLE.slice(1)) {
    const email = toDemoEmail(firstName);
    const invitation = await adminClient.post<{ inviteUrl: string }>('/auth/invite', {
      email,
      firstName,
      lastName,
      role,
      department: departmentId(department),
    });
    const token = new URL(invitation.inviteUrl).searchParams.get('token');
    const session = await anonymous.post<Auth>('/auth/accept-invite', { token, password: DEMO_PASSWORD, location });
    people.push({
      id: session.user._id,
      name: `${firstName} ${lastName}`,
      first: firstName,
      email,
      role,
      client: createClient(baseUrl, session.accessToken),
    });
  }
  return people;
}
