import type { Change } from '@atrium/proto-events/realtime';
import { createDirectory } from '@atrium/service-kit/directory/directory';
import { newId } from '@atrium/service-kit/process/new-id';
import { buildUser } from '@atrium/test-kit/build-user';
import { expect, it } from '@jest/globals';
import { listPeople } from './list-people.ts';

const directory = createDirectory();
const [ann, ben, cleo] = [buildUser(), buildUser(), buildUser()];
for (const user of [ann, ben, cleo]) directory.putUser(user);

const change = (item?: object): Change => ({
  resource: 'project',
  id: newId(),
  action: 'updated',
  version: 2,
  tags: ['projects'],
  ...(item && { item }),
});

it('lists the users referenced by items once, at any depth, with other fields, and without the item itself', () => {
  const changes = [
    change({ _id: newId(), projectManager: { _id: ann._id }, teamMembers: [{ _id: ben._id, joined: true }] }),
    change({ _id: newId(), assignedTo: null, createdBy: { _id: ben._id }, parent: { owner: { _id: ann._id } } }),
    change({ _id: cleo._id, firstName: 'Cleo', department: { _id: newId(), name: 'Sales' } }),
    change(),
  ];
  expect(listPeople(changes, directory)).toEqual([ann, ben].map(({ _id }) => directory.summary(_id)));
});

it('lists a referenced user who is missing from the directory', () => {
  const unknownId = newId();
  expect(listPeople([change({ createdBy: { _id: unknownId } })], directory)).toEqual([directory.summary(unknownId)]);
});
