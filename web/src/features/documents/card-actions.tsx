import type { Document } from '@atrium/proto-events/http/documents';
import { Download, Ellipsis, FileClock, History, Link2, Pencil, Share2, ShieldQuestion, Trash2 } from 'lucide-react';
import { styled } from 'styled-components';
import { linkToDocument } from '#entities/document/linked-documents.ts';
import { IconButton } from '#ui/icon-button.tsx';
import { copyLink } from '#ui/overlays/copy-link.ts';
import { Menu, MenuItem } from '#ui/overlays/menu.tsx';
import { Tooltip } from '#ui/overlays/tooltip.tsx';
import { Spinner } from '#ui/spinner.tsx';

export type DocumentAction = 'preview' | 'download' | 'versions' | 'share' | 'edit' | 'delete' | 'access' | 'downloads';

export type CardActionsProps = {
  document: Document;
  onAction: (action: DocumentAction, document: Document) => void;
  isDownloading: boolean;
};

/** Everyone who can see the card can download the document. */
export function CardActions({ document, onAction, isDownloading }: CardActionsProps) {
  const { abilities, name } = document;
  const button = (action: DocumentAction, label: string, icon: React.ReactNode) => (
    <Tooltip text={label}>
      <IconButton
        label={`${label} ${name}`}
        tone={action === 'delete' ? 'danger' : 'neutral'}
        isDisabled={action === 'download' && isDownloading}
        onPress={() => onAction(action, document)}
      >
        {icon}
      </IconButton>
    </Tooltip>
  );
  return (
    <Row>
      {!document.fileLost && button('download', 'Download', isDownloading ? <Spinner /> : <Download />)}
      {button('versions', 'Versions', <History />)}
      {abilities.share && button('share', 'Share', <Share2 />)}
      {abilities.update && button('edit', 'Edit', <Pencil />)}
      {abilities.delete && button('delete', 'Delete', <Trash2 />)}
      <Menu
        label={`More about ${name}`}
        trigger={
          <IconButton label={`More about ${name}`}>
            <Ellipsis />
          </IconButton>
        }
      >
        <MenuItem icon={<Link2 />} onAction={() => void copyLink(linkToDocument(document._id))}>
          Copy link
        </MenuItem>
        <MenuItem icon={<ShieldQuestion />} onAction={() => onAction('access', document)}>
          {abilities.update ? 'Why can someone see this?' : 'Why can I see this?'}
        </MenuItem>
        {abilities.update && (
          <MenuItem icon={<FileClock />} onAction={() => onAction('downloads', document)}>
            Download log
          </MenuItem>
        )}
      </Menu>
    </Row>
  );
}

const Row = styled.div`
  display: flex;
  flex: none;
  margin-inline-start: auto;
`;
