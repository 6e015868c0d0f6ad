import type { CallOf } from '@atrium/proto-events/endpoint';
import {
  type createRoom,
  createRoomBody,
  type deleteRoom,
  type Room,
  type updateRoom,
} from '@atrium/proto-events/http/meetings/rooms';
import { type Control, useWatch } from 'react-hook-form';
import { styled } from 'styled-components';
import { z } from 'zod';
import { DepartmentNames } from '#entities/department/department-names.tsx';
import { useAllDepartments } from '#entities/department/use-departments.ts';
import { call } from '#lib/api/api.ts';
import { showConflictAt } from '#lib/api/server-errors.ts';
import type { FieldTexts } from '#lib/forms/field-merge.ts';
import { FormField } from '#lib/forms/form-field.tsx';
import { idempotencyOptions, useIdempotencyKey } from '#lib/hooks/use-idempotency-key.ts';
import { useRefetch } from '#lib/query/use-refetch.ts';
import { NumberField } from '#ui/fields/number-field.tsx';
import { TextField } from '#ui/fields/text-field.tsx';
import { Checkbox, Switch } from '#ui/fields/toggles.tsx';
import { FormDialog } from '#ui/forms/form-dialog.tsx';
import { useVersionedForm } from '#ui/forms/use-versioned-form.ts';
import { theme } from '#ui/theme.ts';

type RoomValues = { name: string; size: number | null; isForEveryone: boolean; departments: string[] };

type RoomFields = Pick<Room, 'name' | 'size' | 'isForEveryone' | 'departments' | 'version'>;

const NEW_ROOM: RoomFields = { name: '', size: 8, isForEveryone: true, departments: [], version: 0 };

const valuesOf = ({ name, size, isForEveryone, departments }: RoomFields): RoomValues => ({
  name,
  size,
  isForEveryone,
  departments: departments.map(({ _id }) => _id),
});

const roomSchema = z.custom<RoomValues>().transform(({ isForEveryone, ...values }, context) => {
  if (!isForEveryone && values.departments.length === 0)
    context.addIssue({ code: 'custom', path: ['departments'], message: 'At least one department is required' });
  const result = createRoomBody.safeParse({ ...values, departments: isForEveryone ? [] : values.departments });
  if (result.success) return result.data;
  for (const { path, message } of result.error.issues) context.addIssue({ code: 'custom', path: [...path], message });
  return z.NEVER;
});

/** Creates a new room if `room` is undefined. */
type Props = { room: Room | undefined; onClose: () => void };

const FIELDS: FieldTexts<RoomValues> = {
  name: 'Name',
  size: 'Capacity',
  isForEveryone: 'Everyone can book it',
  departments: { label: 'Departments', text: (ids) => <DepartmentNames ids={ids} /> },
};

export function RoomDialog({ room, onClose }: Props) {
  const draftKey = room ? `room:${room._id}` : 'room:new';
  const { create: createUnderKey, update } = useRoomActions();
  const create = useIdempotencyKey(draftKey, createUnderKey);
  const editing = useVersionedForm({
    resource: room ?? NEW_ROOM,
    valuesOf,
    fields: FIELDS,
    schema: roomSchema,
    draft: draftKey,
    save: (body, version) => (room ? update(room._id, { ...body, version }) : create(body)),
    messages: {
      saved: room ? 'Room updated successfully' : 'Room created successfully',
      failed: 'Failed to save room',
    },
    onSaved: onClose,
    onFailure: (error, { setError }) => showConflictAt(error, 'name', setError),
  });
  const { control } = editing;
  return (
    <FormDialog
      form={editing}
      title={room ? 'Edit Room' : 'Add Room'}
      width="sm"
      onClose={onClose}
      resourceLabel="this room"
      action={room ? 'Save Changes' : 'Add Room'}
      busyAction="Saving..."
    >
      <FormField control={control} name="name">
        {(field) => <TextField {...field} label="Room name" autoComplete="off" isRequired autoFocus />}
      </FormField>
      <FormField control={control} name="size">
        {(field) => <NumberField {...field} label="Capacity" min={1} max={10_000} isRequired />}
      </FormField>
      <FormField control={control} name="isForEveryone">
        {({ value, onChange }) => (
          <Switch isSelected={value} onChange={onChange}>
            Everyone can book it
          </Switch>
        )}
      </FormField>
      <Departments control={control} />
    </FormDialog>
  );
}

function Departments<Out>({ control }: { control: Control<RoomValues, unknown, Out> }) {
  const isForEveryone = useWatch({ control, name: 'isForEveryone' });
  const departments = useAllDepartments().data?.data.filter(({ isActive }) => isActive) ?? [];
  if (isForEveryone) return null;
  return (
    <FormField control={control} name="departments">
      {({ value, onChange, error }) => (
        <Choices>
          <legend>Departments that can book it</legend>
          {departments.map(({ _id, name }) => (
            <Checkbox
              key={_id}
              isSelected={value.includes(_id)}
              onChange={(isOn) => onChange(isOn ? [...value, _id] : value.filter((id) => id !== _id))}
            >
              <bdi>{name}</bdi>
            </Checkbox>
          ))}
          {error && <p role="alert">{error}</p>}
        </Choices>
      )}
    </FormField>
  );
}

const Choices = styled.fieldset`
  display: grid;
  gap: ${theme.space[1]};
  margin: 0;
  padding: 0;
  border: 0;
  legend {
    padding: 0 0 ${theme.space[1]};
    font: 500 ${theme.text.sm};
  }
  p {
    margin: 0;
    font: ${theme.text.sm};
    color: ${theme.color.danger};
  }
`;

/** Refetches meetings as well, because they include their room. */
export function useRoomActions() {
  const refetch = useRefetch();
  return {
    create: async (body: CallOf<typeof createRoom>['body'], idempotencyKey: string) => {
      await call<typeof createRoom>('POST /meetings/rooms', { body }, idempotencyOptions(idempotencyKey));
      refetch('/meetings');
    },
    update: async (id: string, body: CallOf<typeof updateRoom>['body']) => {
      await call<typeof updateRoom>('PATCH /meetings/rooms/:id', { params: { id }, body });
      refetch('/meetings');
    },
    remove: async (id: string) => {
      await call<typeof deleteRoom>('DELETE /meetings/rooms/:id', { params: { id } });
      refetch('/meetings');
    },
  };
}
