// The users of the database, and one of them.
import { type ReactNode, useCallback, useState } from 'react';
import { useMayChange } from '../access.js';
import {
  deleteApiV1UsersName,
  getApiV1Users,
  getApiV1UsersName,
  patchApiV1UsersName,
  postApiV1Users,
} from '../api/generated/sdk.gen.js';
import { answer, taggedAnswer } from '../api/problem.js';
import type { User } from '../api/answers.js';
import { goTo, linkTo } from '../location.js';
import { useLoaded, usePages } from '../loading.js';
import { replacing } from '../ui/attributes.js';
import { Attributes, Flag, TextInput, useSettled } from '../ui/fields.js';
import { fromLocal, toLocal } from '../ui/local-time.js';
import { Badge, type Column, Confirmed, List, ProblemNote, Time } from '../ui/parts.js';
import { SaveButton, useDraft } from '../ui/saving.js';
import { Search } from '../ui/search.js';

const COLUMNS: readonly Column<User>[] = [
  { title: 'Name', cell: ({ name }) => <a href={linkTo(['users', name])}>{name}</a> },
  { title: 'State', cell: (user) => <State user={user} /> },
  { title: 'Expires', cell: ({ expiresAt }) => <Time value={expiresAt} /> },
  { title: 'Changed', cell: ({ updatedAt }) => <Time value={updatedAt} /> },
];

function State({ user: { disabled, expired } }: { readonly user: User }): ReactNode {
  if (disabled) return <Badge kind="bad">disabled</Badge>;
  return expired ? <Badge kind="bad">expired</Badge> : <Badge kind="good">active</Badge>;
}

export function UsersPage(): ReactNode {
  const mayChange = useMayChange();
  const [typed, setTyped] = useState('');
  const text = useSettled(typed, 250);
  const read = useCallback(
    (after?: string) =>
      answer(getApiV1Users({ query: { text, ...(after !== undefined && { after }) } })),
    [text],
  );
  return (
    <>
      <h1>Users</h1>
      <p>The accounts of the database. Users of directories are not among them.</p>
      <Search label="Start of the name" value={typed} onChange={setTyped} />
      <List label="Users" pages={usePages(read)} columns={COLUMNS} keyOf={({ name }) => name} />
      {mayChange && <NewUser />}
    </>
  );
}

function NewUser(): ReactNode {
  const draft = useDraft({ name: '', password: '' }, async (user) => {
    await answer(postApiV1Users({ body: user }));
    goTo(['users', user.name]);
    return user;
  });
  const { value: user, change, save } = draft;
  return (
    <section aria-labelledby="add">
      <h2 id="add">Add a user</h2>
      <form
        className="form"
        onSubmit={(event) => {
          event.preventDefault();
          save.run();
        }}
      >
        <TextInput
          label="Name"
          isRequired
          value={user.name}
          onChange={(name) => change({ ...user, name })}
        />
        <TextInput
          label="Password"
          type="password"
          isRequired
          value={user.password}
          onChange={(password) => change({ ...user, password })}
        />
        <ProblemNote problem={save.problem} />
        <div className="actions">
          <SaveButton draft={draft} label="Add" type="submit" />
        </div>
      </form>
    </section>
  );
}

export function UserPage({ name }: { readonly name: string }): ReactNode {
  const read = useCallback(() => taggedAnswer(getApiV1UsersName({ path: { name } })), [name]);
  const { data, problem, reload } = useLoaded(read);
  if (problem?.code === 'ACCOUNT_NOT_FOUND') return <NoAccount name={name} />;
  if (data === undefined) return <ProblemNote problem={problem} />;
  return <EditedUser key={name} user={data.data} tag={data.tag} onSaved={reload} />;
}

function NoAccount({ name }: { readonly name: string }): ReactNode {
  return (
    <>
      <h1>{name}</h1>
      <p>The database has no account of this name. It may be a user of a directory.</p>
      <p>
        <TracesOf name={name} />
      </p>
    </>
  );
}

function TracesOf({ name }: { readonly name: string }): ReactNode {
  return (
    <>
      <a href={linkTo(['sessions'], { user: name })}>Sessions</a> ·{' '}
      <a href={linkTo(['audit'], { user: name })}>Audit</a>
    </>
  );
}

interface Edited {
  readonly user: User;
  readonly tag: string;
  readonly onSaved: () => void;
}

function EditedUser({ user, tag, onSaved }: Edited): ReactNode {
  const { name } = user;
  const mayChange = useMayChange();
  return (
    <>
      <h1>{name}</h1>
      <p>
        <State user={user} /> · password changed <Time value={user.passwordChangedAt} /> ·{' '}
        <TracesOf name={name} />
      </p>
      <UserForm user={user} tag={tag} onSaved={onSaved} />
      {mayChange && (
        <Confirmed
          label="Remove"
          question={`Remove ${name}? All sessions of this user end.`}
          act={async () => {
            await answer(deleteApiV1UsersName({ path: { name }, headers: { 'If-Match': tag } }));
            goTo(['users']);
          }}
        />
      )}
    </>
  );
}

interface UserFields {
  readonly disabled: boolean;
  /** As in the field. */
  readonly expires: string;
  readonly attributes: Readonly<Record<string, readonly string[]>>;
  readonly password: string;
}

const fieldsOf = ({ disabled, expiresAt, attributes }: User): UserFields => ({
  disabled,
  expires: toLocal(expiresAt),
  attributes,
  password: '',
});

function UserForm({ user, tag, onSaved }: Edited): ReactNode {
  const mayChange = useMayChange();
  const draft = useDraft(fieldsOf(user), async (fields) => {
    const body = {
      disabled: fields.disabled,
      expiresAt: fromLocal(fields.expires) ?? null,
      attributes: replacing(user.attributes, fields.attributes),
      ...(fields.password !== '' && { password: fields.password }),
    };
    const path = { name: user.name };
    await answer(patchApiV1UsersName({ path, headers: { 'If-Match': tag }, body }));
    onSaved();
    return { ...fields, password: '' };
  });
  const { value: fields, save } = draft;
  const set = (change: Partial<UserFields>): void => draft.change({ ...fields, ...change });
  const field = { isReadOnly: !mayChange };
  return (
    <form
      className="form"
      onSubmit={(event) => {
        event.preventDefault();
        save.run();
      }}
    >
      <Flag
        {...field}
        label="Disabled"
        value={fields.disabled}
        onChange={(disabled) => set({ disabled })}
      />
      <TextInput
        {...field}
        label="Expires"
        type="datetime-local"
        description="In your time zone; empty for never."
        value={fields.expires}
        onChange={(expires) => set({ expires })}
      />
      <Attributes
        {...field}
        label="Attributes"
        description="One name = value a line; several lines of a value in double quotes, with \n."
        value={fields.attributes}
        onChange={(attributes) => set({ attributes })}
      />
      {mayChange && (
        <>
          <TextInput
            label="New password"
            type="password"
            description="Empty to keep the password."
            value={fields.password}
            onChange={(password) => set({ password })}
          />
          <ProblemNote problem={save.problem} />
          <div className="actions">
            <SaveButton draft={draft} type="submit" />
          </div>
        </>
      )}
    </form>
  );
}
