// The users of the database, and one of them.
import { type ReactNode, useCallback, useState } from 'react';
import { Button } from 'react-aria-components';
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
import { Badge, type Column, Confirmed, List, ProblemNote, Time, useAction } from '../ui/parts.js';
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
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  const add = useAction(async () => {
    await answer(postApiV1Users({ body: { name, password } }));
    goTo(['users', name]);
  });
  return (
    <section aria-labelledby="add">
      <h2 id="add">Add a user</h2>
      <form
        className="form"
        onSubmit={(event) => {
          event.preventDefault();
          add.run();
        }}
      >
        <TextInput label="Name" isRequired value={name} onChange={setName} />
        <TextInput
          label="Password"
          type="password"
          isRequired
          value={password}
          onChange={setPassword}
        />
        <ProblemNote problem={add.problem} />
        <div className="actions">
          <Button type="submit" className="primary" isDisabled={add.isBusy}>
            Add
          </Button>
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
  return <EditedUser key={data.tag} user={data.data} tag={data.tag} onSaved={reload} />;
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
      <UserFields user={user} tag={tag} onSaved={onSaved} />
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

function UserFields({ user, tag, onSaved }: Edited): ReactNode {
  const mayChange = useMayChange();
  const [disabled, setDisabled] = useState(user.disabled);
  const [expires, setExpires] = useState(toLocal(user.expiresAt));
  const [password, setPassword] = useState('');
  const [attributes, setAttributes] = useState<Readonly<Record<string, readonly string[]>>>(
    user.attributes,
  );
  const save = useAction(async () => {
    const body = {
      disabled,
      expiresAt: fromLocal(expires) ?? null,
      attributes: replacing(user.attributes, attributes),
      ...(password !== '' && { password }),
    };
    const path = { name: user.name };
    await answer(patchApiV1UsersName({ path, headers: { 'If-Match': tag }, body }));
    onSaved();
  });
  const field = { isReadOnly: !mayChange };
  return (
    <form
      className="form"
      onSubmit={(event) => {
        event.preventDefault();
        save.run();
      }}
    >
      <Flag {...field} label="Disabled" value={disabled} onChange={setDisabled} />
      <TextInput
        {...field}
        label="Expires"
        type="datetime-local"
        description="In your time zone; empty for never."
        value={expires}
        onChange={setExpires}
      />
      <Attributes
        {...field}
        label="Attributes"
        description="One name = value a line; several lines of a value in double quotes, with \n."
        value={attributes}
        onChange={setAttributes}
      />
      {mayChange && (
        <>
          <TextInput
            label="New password"
            type="password"
            description="Empty to keep the password."
            value={password}
            onChange={setPassword}
          />
          <ProblemNote problem={save.problem} />
          <div className="actions">
            <Button type="submit" className="primary" isDisabled={save.isBusy}>
              Save
            </Button>
          </div>
        </>
      )}
    </form>
  );
}
