import { styled } from 'styled-components';
import { Spinner } from '#ui/spinner.tsx';
import { theme } from '#ui/theme.ts';

export const ViewerCanvas = styled.div`
  position: relative;
  flex: 1;
  min-height: 0;
  overflow: auto;
  background: ${theme.color.sunken};
  &:focus-visible {
    outline: 2px solid ${theme.color.accent};
    outline-offset: -2px;
  }
`;

export const CenteredCanvas = styled(ViewerCanvas)`
  display: grid;
  place-items: center;
  color: ${theme.color.text3};
  h3 {
    color: ${theme.color.text};
  }
`;

export const Paper = styled.div`
  max-width: 960px;
  min-height: 100%;
  margin: 0 auto;
  padding: ${theme.gutter.panel};
  background: ${theme.color.surface};
`;

export function ViewerLoading() {
  return (
    <CenteredCanvas>
      <Spinner size={28} label="Loading the preview" />
    </CenteredCanvas>
  );
}
