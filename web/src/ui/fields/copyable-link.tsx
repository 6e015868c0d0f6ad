import { Check, Copy } from 'lucide-react';
import { useRef, useState } from 'react';
import { styled } from 'styled-components';
import { Button } from '../button.tsx';
import { theme } from '../theme.ts';
import { TextField } from './text-field.tsx';

type Props = { label: string; url: string; description: string };

export function CopyableLink({ label, url, description }: Props) {
  const [isCopied, setCopied] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(url);
      setCopied(true);
    } catch {
      // Pages over plain HTTP have no clipboard API: the link is selected for manual copying.
      field.current?.focus();
      field.current?.select();
    }
  };
  return (
    <Line>
      <TextField
        label={label}
        value={url}
        onChange={() => undefined}
        description={description}
        isReadOnly
        ref={field}
      />
      <Button icon={isCopied ? <Check /> : <Copy />} onPress={() => void copy()}>
        {isCopied ? 'Copied' : 'Copy link'}
      </Button>
    </Line>
  );
}

const Line = styled.div`
  display: grid;
  grid-template-columns: minmax(0, 1fr) auto;
  gap: ${theme.space[2]};
  align-items: start;
  > button {
    margin-top: 24px;
    min-width: 112px;
  }
`;
