import { styled } from 'styled-components';
import { theme } from '#ui/theme.ts';
import type { ViewProps } from '../viewed-file.ts';
import { Paper } from '../viewer-canvas.ts';
import { TextPreview } from './text-preview.tsx';

const MAX_BYTES = 512 * 1024;

export function TextView(props: ViewProps) {
  return (
    <TextPreview {...props} maxBytes={MAX_BYTES}>
      {(text) => <PlainText dir="auto">{text}</PlainText>}
    </TextPreview>
  );
}

export const PlainText = styled(Paper).attrs({ as: 'pre' })`
  font: ${theme.text.mono};
  white-space: pre-wrap;
  overflow-wrap: anywhere;
  tab-size: 4;
`;
