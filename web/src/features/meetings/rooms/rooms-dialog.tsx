import type { Room } from '@atrium/proto-events/http/meetings/rooms';
import { isolate } from '@atrium/proto-events/text/isolate';
import { DoorOpen, Pencil, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { styled } from 'styled-components';
import { useRooms } from '#entities/meeting/use-planning.ts';
import { Button } from '#ui/button.tsx';
import { IconButton } from '#ui/icon-button.tsx';
import { captionStyles, inlineStyles } from '#ui/mixins.ts';
import { ConfirmDialog } from '#ui/overlays/confirm-dialog.tsx';
import { Dialog } from '#ui/overlays/dialog.tsx';
import { DialogBody } from '#ui/overlays/dialog-parts.ts';
import { AsyncContent } from '#ui/pages/async-content.tsx';
import { EmptyState } from '#ui/pages/empty-state.tsx';
import { SkeletonRows } from '#ui/pages/skeleton.tsx';
import { theme } from '#ui/theme.ts';
import { RoomDialog, useRoomActions } from './room-dialog.tsx';

type Props = { onClose: () => void };

export function RoomsDialog({ onClose }: Props) {
  const rooms = useRooms();
  const { remove } = useRoomActions();
  const [editedRoom, setEditedRoom] = useState<Room | 'new'>();
  const [roomToDelete, setRoomToDelete] = useState<Room>();
  if (editedRoom !== undefined)
    return <RoomDialog room={editedRoom === 'new' ? undefined : editedRoom} onClose={() => setEditedRoom(undefined)} />;
  const add = (
    <Button icon={<Plus />} onPress={() => setEditedRoom('new')}>
      Add Room
    </Button>
  );
  return (
    <Dialog onClose={onClose} title="Rooms" description="Rooms can’t be double-booked.">
      <DialogBody>
        <AsyncContent query={rooms} failure="Failed to load rooms" skeletons={<SkeletonRows count={3} />}>
          {({ data }) =>
            data.length === 0 ? (
              <EmptyState
                icon={<DoorOpen />}
                title="No rooms yet"
                hint="Add a room so that meetings can use it."
                action={add}
              />
            ) : (
              <>
                <Rows aria-label="Rooms">
                  {data.map((room) => (
                    <RoomRow key={room._id} room={room} onEdit={setEditedRoom} onDelete={setRoomToDelete} />
                  ))}
                </Rows>
                <div>{add}</div>
              </>
            )
          }
        </AsyncContent>
      </DialogBody>
      {roomToDelete && (
        <ConfirmDialog
          onClose={() => setRoomToDelete(undefined)}
          onConfirm={() => remove(roomToDelete._id)}
          success="Room deleted successfully"
          title="Delete Room"
          action="Delete"
          failure="Failed to delete room"
        >
          {`“${isolate(roomToDelete.name)}” can no longer be booked. Meetings that use it keep its name.`}
        </ConfirmDialog>
      )}
    </Dialog>
  );
}

type RowProps = { room: Room; onEdit: (room: Room) => void; onDelete: (room: Room) => void };

function RoomRow({ room, onEdit, onDelete }: RowProps) {
  const bookableBy = room.isForEveryone
    ? 'Everyone'
    : room.departments.map(({ name }) => isolate(name)).join(', ') || 'Administrators';
  return (
    <li>
      <div>
        <b dir="auto">{room.name}</b>
        <span>{`Seats ${room.size} · ${bookableBy}`}</span>
      </div>
      <IconButton label={`Edit ${room.name}`} onPress={() => onEdit(room)}>
        <Pencil />
      </IconButton>
      <IconButton label={`Delete ${room.name}`} tone="danger" onPress={() => onDelete(room)}>
        <Trash2 />
      </IconButton>
    </li>
  );
}

const Rows = styled.ul`
  display: grid;
  li {
    ${inlineStyles(2)}
    padding: ${theme.space[2]} 0;
    border-bottom: 1px solid ${theme.color.line};
  }
  li > div {
    display: grid;
    flex: 1;
    min-width: 0;
  }
  b {
    overflow-wrap: anywhere;
    font: 500 ${theme.text.md};
  }
  span {
    ${captionStyles}
  }
`;
