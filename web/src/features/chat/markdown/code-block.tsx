import { Check, Copy } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { styled } from 'styled-components';
import { COMMAND_KEY } from '#lib/command-key.ts';
import { IconButton } from '#ui/icon-button.tsx';
import { ellipsis } from '#ui/mixins.ts';
import { showError, showSuccess } from '#ui/overlays/toast.ts';
import { theme } from '#ui/theme.ts';

const COPIED_MS = 2_000;

export function CodeBlock({ code, language }: { code: string; language: string }) {
  const block = useRef<HTMLPreElement>(null);
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(setCopied, COPIED_MS, false);
    return () => clearTimeout(timer);
  }, [isCopied]);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(code);
      setCopied(true);
      showSuccess('Code copied');
    } catch {
      // Without HTTPS, there is no clipboard.
      if (block.current) getSelection()?.selectAllChildren(block.current);
      showError('Failed to copy code', `Your browser does not allow copying here. Press ${COMMAND_KEY}+C.`);
    }
  };
  return (
    <Frame>
      <Head>
        <Label>{language || 'Code'}</Label>
        <IconButton label="Copy code" onPress={() => void copy()}>
          {isCopied ? <Check /> : <Copy />}
        </IconButton>
      </Head>
      {/* Long lines are scrolled with the keyboard. */}
      <Code ref={block} dir="ltr" tabIndex={0} role="group" aria-label={language || 'Code'}>
        {code}
      </Code>
    </Frame>
  );
}

const Frame = styled.div`
  border: 1px solid ${theme.color.line};
  border-radius: ${theme.radius.md};
  background: ${theme.color.sunken};
  overflow: hidden;
`;

const Head = styled.div`
  display: flex;
  align-items: center;
  justify-content: space-between;
  gap: ${theme.space[2]};
  height: 28px;
  padding-inline: ${theme.space[3]} 2px;
  font: ${theme.text.xs};
  color: ${theme.color.text3};
  white-space: nowrap;
  > button {
    width: 26px;
    height: 26px;
  }
  svg {
    width: 14px;
    height: 14px;
  }
`;

const Label = styled.span`
  ${ellipsis}
`;

const Code = styled.pre`
  margin: 0;
  padding: 0 ${theme.space[3]} ${theme.space[2]};
  overflow-x: auto;
  font: ${theme.text.mono};
  tab-size: 4;
  white-space: pre;
  overflow-wrap: normal;
  @media print {
    white-space: pre-wrap;
    overflow-wrap: anywhere;
  }
`;
