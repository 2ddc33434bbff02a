// Owns the branches and tags of a clone at one moment, and which of them a label means.

const BRANCH = 'refs/heads/';
const TAG = 'refs/tags/';

export class Refs {
  /** Arguments for git that make it write what {@link Refs.parse} reads. */
  static readonly LISTING = ['for-each-ref', '--format=%(objectname) %(refname)', BRANCH, TAG];

  private constructor(
    private readonly ids: ReadonlyMap<string, string>,
    private readonly listing: string,
  ) {}

  static parse(listing: string): Refs {
    const lines = listing.split('\n').filter((line) => line !== '');
    const entries = lines.map((line): [string, string] => {
      const space = line.indexOf(' ');
      return [line.slice(space + 1), line.slice(0, space)];
    });
    return new Refs(new Map(entries), listing);
  }

  /** The object that a branch, else a tag, of that name leads to; before both, what is called so in whole: `refs/heads/main`. */
  find(label: string): string | undefined {
    const names = [label, BRANCH + label, TAG + label];
    const name = names.find((each) => this.ids.has(each));
    return name === undefined ? undefined : this.ids.get(name);
  }

  get isEmpty(): boolean {
    return this.ids.size === 0;
  }

  equals(other: Refs): boolean {
    return this.listing === other.listing;
  }
}
