import React, { useState, type FC } from 'react';
import { Badge } from './Badge';

type Props = { v: number; onOpen?: () => void };  // DEFINES type-alias Props 4-4  DEFINES field Props.v 4-4  DEFINES field Props.onOpen 4-4

// What one thing costs.
export const Price = ({ v, onOpen }: Props) => <b onClick={onOpen}>{format(v)}</b>; // DEFINES function Price 6-7  REFERS type Props  REFERS call format
export const plain = 42;  // DEFINES constant plain 8-8

const reducer = (state: number, action: string): number => state; // parenless body  // DEFINES function reducer 10-10

export const Row: FC<Props> = React.memo(function Row({ v }) { // DEFINES function Row 12-27  REFERS type FC  REFERS type Props  REFERS call React.memo
  const [open, setOpen] = useState(false); // REFERS call useState
  const [total, dispatch] = React.useReducer(reducer, 0); // REFERS call React.useReducer  REFERS pass reducer
  const handleClick = () => setOpen(!open);  // DEFINES function Row.handleClick 15-15

  return (
    <>
      <Price v={v} onOpen={handleClick} /> {/* REFERS call Price  REFERS pass handleClick */}
      <Badge.Small label="x" onClose={plainClose}> {/* REFERS call Badge.Small  REFERS pass plainClose */}
        {open && <Detail<Props> total={total} />} {/* REFERS call Detail */}
        {list.map((each) => <Price key={each.id} v={each.v} />)} {/* REFERS call Price  REFERS call list.map */}
      </Badge.Small>
      <svg:path d={dispatch} />
    </>
  );
});

const Field = forwardRef<HTMLInputElement, Props>((props, ref) => <input ref={ref} {...props} />);  // DEFINES function Field 29-29
const Wide = styled(Price)`width: ${plain}px`; // DEFINES constant Wide 30-30  REFERS call styled  REFERS pass Price  REFERS read plain

export function useCart(id: string) {  // DEFINES function useCart 32-35
  const load = useCallback(async () => { await fetchCart(id); }, [id]); // DEFINES function useCart.load 33-33  REFERS call fetchCart
  return { load, reset() { load(); } };  // DEFINES method useCart.reset 34-34
}

export default function Page({ items }: { items: Props[] }) {  // DEFINES function Page 37-39
  return items.map((item) => <Row {...item} />); // REFERS call Row
}

export class Panel extends React.Component<Props> { // DEFINES class Panel 41-46  REFERS inherit React.Component
  state = { open: false };  // DEFINES field Panel.state 42-42
  render() {  // DEFINES method Panel.render 43-45
    return <Row v={this.state.v} />; // REFERS call Row  REFERS read this.state
  }
}
