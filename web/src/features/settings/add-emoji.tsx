import type { CustomEmoji } from '@atrium/proto-events/http/chat/emoji';
import { ImagePlus } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { FileTrigger } from 'react-aria-components/FileTrigger';
import { styled } from 'styled-components';
import { messageOf } from '#lib/api/api-error.ts';
import { upload } from '#lib/api/upload.ts';
import { useObjectUrl } from '#lib/hooks/use-object-url.ts';
import { Button } from '#ui/button.tsx';
import { TextField } from '#ui/fields/text-field.tsx';
import { Notice } from '#ui/notice.tsx';
import { showSuccess } from '#ui/overlays/toast.ts';
import { theme } from '#ui/theme.ts';

const NAME = /^[a-z0-9_-]{2,32}$/;
const NAME_ERROR = 'Use 2 to 32 lowercase letters, digits, hyphens, and underscores';
const MAX_BYTES = 256 * 1024;
const TOO_LARGE = 'The image is larger than 256 KB';
const TYPES = ['image/png', 'image/gif', 'image/webp'];

/** Party Parrot.gif becomes party_parrot. */
const suggestName = (fileName: string): string =>
  fileName
    .replace(/\.[^.]*$/, '')
    .toLowerCase()
    .replace(/[^a-z0-9_-]+/g, '_')
    .replace(/^_+|(?<!_)_+$/g, '')
    .slice(0, 32);

export function AddEmoji({ onAdded }: { onAdded: () => void }) {
  const [name, setName] = useState('');
  const [image, setImage] = useState<File>();
  const [isSubmitted, setSubmitted] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState('');
  const isNameValid = NAME.test(name);
  const isTooLarge = image !== undefined && image.size > MAX_BYTES;
  const choose = ([file]: readonly File[]) => {
    if (!file) return;
    setImage(file);
    setFailure('');
    if (name === '') setName(suggestName(file.name));
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setSubmitted(true);
    if (!isNameValid || !image || isTooLarge || isBusy) return;
    setBusy(true);
    setFailure('');
    try {
      await upload<CustomEmoji>('/chat/emoji', toForm(name, image));
      onAdded();
      showSuccess(`:${name}: added`);
      setName('');
      setImage(undefined);
      setSubmitted(false);
    } catch (error) {
      setFailure(messageOf(error, 'Failed to add the emoji'));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Form onSubmit={(event) => void submit(event)} noValidate aria-label="Add emoji">
      {failure !== '' && <Notice tone="danger">{failure}</Notice>}
      <Fields>
        <Chosen image={image} />
        <FileTrigger acceptedFileTypes={TYPES} onSelect={(files) => choose([...(files ?? [])])}>
          <Button icon={<ImagePlus />}>{image ? 'Change image' : 'Choose image'}</Button>
        </FileTrigger>
        <Name>
          <TextField
            label="Name"
            value={name}
            onChange={(next) => setName(next.toLowerCase())}
            error={isSubmitted && !isNameValid ? NAME_ERROR : undefined}
          />
        </Name>
        <Button type="submit" variant="primary" isBusy={isBusy} isDisabled={!image || isTooLarge}>
          Add emoji
        </Button>
      </Fields>
      <Hint $isError={isTooLarge}>{isTooLarge ? TOO_LARGE : 'PNG, GIF, or WebP of at most 256 KB'}</Hint>
    </Form>
  );
}

function toForm(name: string, image: File): FormData {
  const form = new FormData();
  form.set('name', name);
  form.set('image', image, image.name);
  return form;
}

function Chosen({ image }: { image: File | undefined }) {
  const url = useObjectUrl(image ?? null);
  return <Preview>{url && <img src={url} alt="" />}</Preview>;
}

const Form = styled.form`
  display: grid;
  gap: ${theme.space[2]};
`;

const Fields = styled.div`
  display: flex;
  flex-wrap: wrap;
  gap: ${theme.space[3]};
  align-items: end;
`;

const Preview = styled.span`
  display: grid;
  place-items: center;
  width: ${theme.control};
  height: ${theme.control};
  border: 1px dashed ${theme.color.line};
  border-radius: ${theme.radius.md};
  > img {
    max-width: 28px;
    max-height: 28px;
  }
`;

const Name = styled.div`
  flex: 1 1 180px;
`;

const Hint = styled.p<{ $isError: boolean }>`
  font: ${theme.text.sm};
  color: ${({ $isError }) => ($isError ? theme.color.danger : theme.color.text2)};
`;
