// The state of reading a service file: fields of a definition so far, and a result for every member of the file.

/** A note on one member of a file. */
export interface FileNote {
  /** The path of the member: `accessStrategy.rejectedAttributes`. */
  readonly member: string;
  readonly reason: string;
}

export class ServiceDraft {
  /** The id of the service in the file; null for a file without one. */
  importId: string | null = null;
  /** Secrets of a client in clear, for no report. */
  readonly secrets: string[] = [];
  /** The key of pseudonyms that the file defines; see `pseudonymOf`. A secret. */
  pseudonymSalt: string | undefined;
  readonly withoutEffect: FileNote[] = [];
  readonly notUnderstood: FileNote[] = [];
  private readonly members = new Set<string>();
  private readonly values = new Map<string, { readonly member: string; readonly value: unknown }>();

  /** Records a member as imported, and sets the field to the value, if one is named. */
  take(member: string, field?: string, value?: unknown): void {
    this.members.add(member);
    if (field !== undefined) this.values.set(field, { member, value });
  }

  /** As {@link take}, but the field keeps its default where `read` finds a member that is not understood. */
  takeWhole(member: string, field: string, value: unknown, read: () => void): void {
    const before = this.notUnderstood.length;
    this.take(member, field, value);
    read();
    if (this.notUnderstood.length > before) this.remove(field);
  }

  /** Removes the value of a field that the validation found invalid. */
  refuse(field: string, entry: string, reason: string): void {
    const { member = field } = this.values.get(field) ?? {};
    this.addNotUnderstood(member + entry, reason);
    this.remove(field);
  }

  /** Imported members. */
  get taken(): readonly string[] {
    return [...this.members];
  }

  /** Fields of a definition as the file has them, not yet validated. */
  get fields(): Readonly<Record<string, unknown>> {
    return Object.fromEntries([...this.values].map(([field, { value }]) => [field, value]));
  }

  /** Records a member that is ignored, which gives nobody access and releases nothing. */
  addWithoutEffect(member: string, reason: string): void {
    this.withoutEffect.push({ member, reason });
  }

  /** Records a member that may restrict what is not restricted here: the service must be disabled. */
  addNotUnderstood(member: string, reason: string): void {
    this.notUnderstood.push({ member, reason });
  }

  private remove(field: string): void {
    const { member } = this.values.get(field) ?? {};
    if (member !== undefined) this.members.delete(member);
    this.values.delete(field);
  }
}
