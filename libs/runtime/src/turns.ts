// Waiting callers, served in turns.

/** What a place among waiting callers depends on. */
export interface Applicant {
  /** Callers of a network share a line. */
  readonly network: string;
  /** Known networks have places and turns of their own. */
  readonly isKnown: boolean;
}

export interface TurnLimits {
  /** Items of one network. */
  readonly ofNetwork: number;
  /** Items of all known networks, and of all others. */
  readonly ofGroup: number;
}

/**
 * Waiting items. Known networks and all others come alternately; in each group one item of each network in a round, the
 * oldest of a network first. So what others send delays a caller by one turn for each of them, however much they send.
 */
export class Turns<T> {
  private readonly known: Group<T>;
  private readonly others: Group<T>;
  private isTurnOfKnown = true;

  constructor(limits: TurnLimits) {
    this.known = new Group(limits);
    this.others = new Group(limits);
  }

  /**
   * Adds an item. Where its group is full, the last item of the longest line gives way.
   * @returns the item without a place: undefined, the added one, or the one that gave way
   */
  add(applicant: Applicant, item: T): T | undefined {
    return this.groupOf(applicant).add(applicant.network, item);
  }

  /** Removes the next item; undefined where none waits. */
  take(): T | undefined {
    const [first, second] = this.isTurnOfKnown
      ? [this.known, this.others]
      : [this.others, this.known];
    this.isTurnOfKnown = !this.isTurnOfKnown;
    return first.take() ?? second.take();
  }

  /** @param applicant as the item was added */
  remove(applicant: Applicant, item: T): void {
    this.groupOf(applicant).remove(applicant.network, item);
  }

  private groupOf({ isKnown }: Applicant): Group<T> {
    return isKnown ? this.known : this.others;
  }
}

class Group<T> {
  /** None is empty. The next is first. */
  private readonly lines = new Map<string, T[]>();
  private size = 0;

  constructor(private readonly limits: TurnLimits) {}

  add(network: string, item: T): T | undefined {
    const line = this.lines.get(network) ?? [];
    if (line.length >= this.limits.ofNetwork) return item;
    let refused: T | undefined;
    if (this.size >= this.limits.ofGroup) {
      const longest = this.longestLine();
      if (longest.length <= line.length + 1) return item;
      refused = longest.pop();
      this.size -= 1;
    }
    line.push(item);
    this.lines.set(network, line);
    this.size += 1;
    return refused;
  }

  take(): T | undefined {
    for (const [network, line] of this.lines) {
      const item = line.shift();
      this.lines.delete(network);
      if (line.length > 0) this.lines.set(network, line);
      this.size -= 1;
      return item;
    }
    return undefined;
  }

  remove(network: string, item: T): void {
    const line = this.lines.get(network) ?? [];
    const index = line.indexOf(item);
    if (index < 0) return;
    line.splice(index, 1);
    if (line.length === 0) this.lines.delete(network);
    this.size -= 1;
  }

  private longestLine(): T[] {
    let longest: T[] = [];
    for (const line of this.lines.values()) if (line.length > longest.length) longest = line;
    return longest;
  }
}
