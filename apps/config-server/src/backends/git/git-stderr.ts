// Owns what git says of its faults, and the one line that a log has of it. Whether git failed is not known here.

/** Characters that are kept of what it says. */
const LONGEST = 16_384;
const LONGEST_LINE = 300;
/** Lines that tell of no fault, as git words them in the locale C. */
const ASIDE = /^(?:hint:|notice:|Please make sure you have the correct access|and the repository)/;

export class GitStderr {
  private text = '';

  take(text: string): void {
    this.text = (this.text + text).slice(0, LONGEST);
  }

  /** Looks at all of it, and not only at what {@link toString} shows. */
  matches(pattern: RegExp): boolean {
    return pattern.test(this.text);
  }

  /** The first thing said, and the last two: there git and ssh have their verdicts. Nothing twice. */
  toString(): string {
    const lines = [...new Set(this.lines().filter(tellsOfFault).map(bounded))];
    const shown = lines.length > 3 ? [lines[0], '…', ...lines.slice(-2)] : lines;
    return shown.join('; ');
  }

  private lines(): readonly string[] {
    const lines = this.text.split(/[\r\n]+/).map((line) => line.replaceAll(/\s+/g, ' ').trim());
    // Half a line may have lost the end by which a secret in it is known.
    return this.text.length < LONGEST ? lines : lines.slice(0, -1);
  }
}

/** Not what frames or spaces out the rest, the name of the speaker aside. */
function tellsOfFault(line: string): boolean {
  return /\p{L}/u.test(line.replace(/^remote:/, '')) && !ASIDE.test(line);
}

/** Cut between words: an address is there as a whole, as whoever masks its password needs it, or not at all. */
function bounded(line: string): string {
  if (line.length <= LONGEST_LINE) return line;
  return line.slice(0, LONGEST_LINE).replace(/[^ ]*$/, '…');
}
