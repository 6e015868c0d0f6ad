import { Check } from 'lucide-react';
import type { ReactElement, ReactNode, RefObject } from 'react';
import { Header } from 'react-aria-components/Header';
import { Menu as AriaMenu, MenuItem as AriaMenuItem, MenuSection, MenuTrigger } from 'react-aria-components/Menu';
import type { Placement } from 'react-aria-components/Popover';
import { Separator } from 'react-aria-components/Separator';
import { styled } from 'styled-components';
import { rowStyles } from '../fields/row-styles.ts';
import { FloatingSurface } from '../floating-surface.tsx';
import { theme } from '../theme.ts';

type Props = {
  trigger: ReactElement;
  label: string;
  children: ReactNode;
  placement?: Placement;
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

export type MenuSurfaceProps = Omit<Props, 'trigger'> & {
  isOpen: boolean;
  onClose: () => void;
  triggerRef: RefObject<HTMLElement | null>;
};

/** A menu that is loaded when its trigger is first pressed. */
export function MenuSurface({ label, children, header, onClose, ...rest }: MenuSurfaceProps) {
  return (
    <FloatingSurface {...rest} trigger="MenuTrigger" onOpenChange={(open) => open || onClose()}>
      {header}
      <List aria-label={label} autoFocus="first" onClose={onClose}>
        {children}
      </List>
    </FloatingSurface>
  );
}

type ItemProps = {
  children: ReactNode;
  icon?: ReactNode;
  onAction: () => void;
  tone?: 'neutral' | 'danger';
};

export function MenuItem({ children, icon, onAction, tone = 'neutral' }: ItemProps) {
  return (
    <Item textValue={typeof children === 'string' ? children : ''} onAction={onAction} $tone={tone}>
      {icon}
      {children}
    </Item>
  );
}

type ChoicesProps<Value extends string> = {
  label: string;
  options: readonly { value: Value; label: string; icon?: ReactNode }[];
  value: Value;
  onChange: (value: Value) => void;
};

export function MenuChoices<Value extends string>({ label, options, value, onChange }: ChoicesProps<Value>) {
  return (
    <MenuSection
      selectionMode="single"
      disallowEmptySelection
      selectedKeys={[value]}
      onSelectionChange={(keys) => {
        const selectedOption = options.find((option) => keys !== 'all' && keys.has(option.value));
        if (selectedOption) onChange(selectedOption.value);
      }}
    >
      <GroupName>{label}</GroupName>
      {options.map((option) => (
        <Item key={option.value} id={option.value} textValue={option.label} shouldCloseOnSelect={false} $tone="neutral">
          {({ isSelected }) => (
            <>
              {option.icon}
              <Label dir="auto">{option.label}</Label>
              {isSelected && <Check aria-hidden="true" />}
            </>
          )}
        </Item>
      ))}
    </MenuSection>
  );
}

const GroupName = styled(Header)`
  padding: ${theme.space[2]} 10px ${theme.space[1]};
  font: 500 ${theme.text.xs};
  color: ${theme.color.text3};
`;

const Label = styled.span`
  flex: 1;
`;

export const MenuSeparator = styled(Separator)`
  height: 1px;
  margin: ${theme.space[1]} 0;
  background: ${theme.color.line};
`;

const List = styled(AriaMenu)`
  outline: none;
  &:focus-visible {
    box-shadow: none;
  }
`;

const Item = styled(AriaMenuItem)<{ $tone: 'neutral' | 'danger' }>`
  ${rowStyles}
  color: ${({ $tone }) => ($tone === 'danger' ? theme.color.danger : theme.color.text)};
  svg {
    color: ${({ $tone }) => ($tone === 'danger' ? theme.color.danger : theme.color.text2)};
  }
`;
