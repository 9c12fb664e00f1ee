/** The cart as the browser keeps it. */
export interface Line {
  name: string;
  price: number;
}

/** The sum of all lines. */
export function sumOf(lines: Line[]): number {
  return lines.reduce((sum, line) => sum + line.price, 0);
}

export class Basket {
  private lines: Line[] = [];

  put(line: Line): void {
    this.lines.push(line);
  }

  total(): number {
    return sumOf(this.lines);
  }
}
