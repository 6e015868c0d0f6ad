import { styled } from 'styled-components';
import { theme } from '../../../ui/theme.ts';
import type { ViewProps } from '../viewed-file.ts';
import { Paper } from '../viewer-canvas.ts';
import { TextPart } from './text-part.tsx';

const MOST = 512 * 1024;

export function TextView(props: ViewProps) {
  return (
    <TextPart {...props} most={MOST}>
      {(text) => <PlainText dir="auto">{text}</PlainText>}
    </TextPart>
  );
}

export const PlainText = styled(Paper).attrs({ as: 'pre' })`
  font: ${theme.text.mono};
  white-space: pre-wrap;
  overflow-wrap: anywhere;
  tab-size: 4;
`;
