import type { ReactElement, ReactNode } from 'react';
import { Menu as AriaMenu, MenuItem as AriaMenuItem, MenuTrigger } from 'react-aria-components/Menu';
import type { Placement } from 'react-aria-components/Popover';
import { Separator } from 'react-aria-components/Separator';
import { styled } from 'styled-components';
import { rowLook } from './option.tsx';
import { FloatingSurface } from './popover.tsx';
import { theme } from './theme.ts';

type Props = {
  /** The button that opens it. */
  trigger: ReactElement;
  label: string;
  children: ReactNode;
  placement?: Placement;
  /** Stands above the items. */
  header?: ReactNode;
};

export function Menu({ trigger, label, children, placement = 'bottom end', header }: Props) {
  return (
    <MenuTrigger>
      {trigger}
      <FloatingSurface placement={placement}>
        {header}
        <List aria-label={label}>{children}</List>
      </FloatingSurface>
    </MenuTrigger>
  );
}

type ItemProps = {
  children: ReactNode;
  /** Plain words of the item, where its content is more than text. */
  textValue?: string;
  icon?: ReactNode;
  onAction: () => void;
  tone?: 'neutral' | 'danger';
  isDisabled?: boolean;
};

export function MenuItem({ children, textValue, icon, onAction, tone = 'neutral', isDisabled = false }: ItemProps) {
  return (
    <Item
      textValue={textValue ?? (typeof children === 'string' ? children : '')}
      onAction={onAction}
      isDisabled={isDisabled}
      $tone={tone}
    >
      {icon}
      {children}
    </Item>
  );
}

export const MenuLine = styled(Separator)`
  height: 1px;
  margin: ${theme.space[1]} 0;
  background: ${theme.color.line};
`;

const List = styled(AriaMenu)`
  outline: none;
`;

const Item = styled(AriaMenuItem)<{ $tone: 'neutral' | 'danger' }>`
  ${rowLook}
  color: ${({ $tone }) => ($tone === 'danger' ? theme.color.danger : theme.color.text)};
  svg {
    color: ${({ $tone }) => ($tone === 'danger' ? theme.color.danger : theme.color.text2)};
  }
`;
