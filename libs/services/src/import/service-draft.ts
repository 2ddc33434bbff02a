// What has been read of one service file so far: fields of a definition, and what became of each
// member of the file. Nothing of a file is passed over without a note here.

/** What became of one member of a file. */
export interface FileNote {
  /** Where it stands: `accessStrategy.rejectedAttributes`. */
  readonly member: string;
  readonly reason: string;
}

export class ServiceDraft {
  /** The id the service has in the file; null for a file that gives none. */
  importId: string | null = null;
  readonly withoutEffect: FileNote[] = [];
  readonly notUnderstood: FileNote[] = [];
  private readonly members = new Set<string>();
  private readonly values = new Map<string, { readonly member: string; readonly value: unknown }>();

  /** The member is in force; where a field is named, it has that value of the member's. */
  take(member: string, field?: string, value?: unknown): void {
    this.members.add(member);
    if (field !== undefined) this.values.set(field, { member, value });
  }

  /** As {@link take}; but the field stays at its default unless all that `read` finds is understood. */
  takeWhole(member: string, field: string, value: unknown, read: () => void): void {
    const before = this.notUnderstood.length;
    this.take(member, field, value);
    read();
    if (this.notUnderstood.length > before) this.withdraw(field);
  }

  /** The value taken for a field turned out to be none. */
  refuse(field: string, entry: string, reason: string): void {
    const { member = field } = this.values.get(field) ?? {};
    this.doNotUnderstand(member + entry, reason);
    this.withdraw(field);
  }

  /** Members in force. */
  get taken(): readonly string[] {
    return [...this.members];
  }

  /** Fields of a definition, as the file gives them: not yet checked. */
  get fields(): Readonly<Record<string, unknown>> {
    return Object.fromEntries([...this.values].map(([field, { value }]) => [field, value]));
  }

  /** Nobody is let in, and nothing is told, because this member is left out. */
  passOver(member: string, reason: string): void {
    this.withoutEffect.push({ member, reason });
  }

  /** The member may restrict something that is not restricted here: the service must stay closed. */
  doNotUnderstand(member: string, reason: string): void {
    this.notUnderstood.push({ member, reason });
  }

  private withdraw(field: string): void {
    const { member } = this.values.get(field) ?? {};
    if (member !== undefined) this.members.delete(member);
    this.values.delete(field);
  }
}
