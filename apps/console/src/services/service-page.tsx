// One service: the editor, and the pattern tried while it is typed.
import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react';
import { useMayChange } from '../access.js';
import {
  deleteApiV1ServicesId,
  getApiV1ServicesId,
  postApiV1Services,
  putApiV1ServicesId,
} from '../api/generated/sdk.gen.js';
import { answer, type Problem, taggedAnswer } from '../api/problem.js';
import type { Definition, Note, Service } from '../api/answers.js';
import { goTo, linkTo } from '../location.js';
import { useLoaded } from '../loading.js';
import { Missing } from '../ui/not-found.js';
import { Confirmed, ProblemNote } from '../ui/parts.js';
import { SaveButton, useDraft } from '../ui/saving.js';
import {
  definitionOf,
  errorsOf,
  NEW_SERVICE,
  remainderOf,
  withoutEmptyNames,
} from './definition.js';
import { ClientSecrets } from './client-secrets.js';
import { DraftTrial } from './draft-trial.js';
import { Notes, PasteFile } from './paste-file.js';
import { ServiceFields } from './service-fields.js';

export function ServicePage({ id }: { readonly id: string }): ReactNode {
  return id === 'new' ? <NewService /> : <StoredService id={id} />;
}

function NewService(): ReactNode {
  const draft = useDraft(NEW_SERVICE, async (definition) => {
    const { service } = await answer(postApiV1Services({ body: withoutEmptyNames(definition) }));
    goTo(['services', service.id]);
    return definition;
  });
  const [notes, setNotes] = useState<readonly Note[]>([]);
  const [version, setVersion] = useState(0);
  const { problem } = draft.save;
  return (
    <>
      <h1>Register a service</h1>
      <PasteFile
        onRead={(read) => {
          draft.change(read.definition);
          setNotes(read.notes);
          setVersion((before) => before + 1);
        }}
      />
      <Notes notes={notes} />
      <Editor
        key={version}
        definition={draft.value}
        problem={problem}
        onChange={draft.change}
        isReadOnly={false}
      />
      <ProblemNote problem={remainderOf(problem)} />
      <div className="actions">
        <SaveButton draft={draft} label="Register" />
        <a className="button" href={linkTo(['services'])}>
          Cancel
        </a>
      </div>
    </>
  );
}

function StoredService({ id }: { readonly id: string }): ReactNode {
  const read = useCallback(() => taggedAnswer(getApiV1ServicesId({ path: { id } })), [id]);
  const { data, problem, reload } = useLoaded(read);
  if (problem?.code === 'SERVICE_NOT_FOUND') {
    return (
      <Missing text={`There is no service ${id}. It may have been removed.`}>
        <a href={linkTo(['services'])}>All services</a>
      </Missing>
    );
  }
  if (data === undefined) return <ProblemNote problem={problem} />;
  return <EditedService key={id} service={data.data} tag={data.tag} onSaved={reload} />;
}

interface Edited {
  readonly service: Service;
  readonly tag: string;
  readonly onSaved: () => void;
}

function EditedService({ service, tag, onSaved }: Edited): ReactNode {
  const { id } = service;
  const mayChange = useMayChange();
  const path = { id };
  const headers = { 'If-Match': tag };
  const draft = useDraft(definitionOf(service), async (definition) => {
    await answer(putApiV1ServicesId({ path, headers, body: withoutEmptyNames(definition) }));
    onSaved();
    return definition;
  });
  const { problem } = draft.save;
  return (
    <>
      <h1>{service.name}</h1>
      <p>Service {id}</p>
      <Editor
        definition={draft.value}
        replaces={id}
        problem={problem}
        onChange={draft.change}
        isReadOnly={!mayChange}
      />
      <ProblemNote problem={remainderOf(problem)} />
      {mayChange && (
        <div className="actions">
          <SaveButton draft={draft} />
          <Confirmed
            label="Remove"
            question={`Remove ${service.name}? Its applications get no more tickets and tokens.`}
            act={async () => {
              await answer(deleteApiV1ServicesId({ path, headers }));
              goTo(['services']);
            }}
          />
        </div>
      )}
      {hasSecrets(service) && <ClientSecrets id={id} />}
    </>
  );
}

function hasSecrets({ client }: Service): boolean {
  const method = client?.tokenEndpointAuthMethod;
  return method === 'client_secret_basic' || method === 'client_secret_post';
}

/** @param replaces the id of the stored service */
function Editor({
  replaces,
  problem,
  ...fields
}: {
  readonly definition: Definition;
  readonly replaces?: string;
  /** Why it was not saved. */
  readonly problem: Problem | undefined;
  readonly onChange: (definition: Definition) => void;
  readonly isReadOnly: boolean;
}): ReactNode {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (problem === undefined) return;
    form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus();
  }, [problem]);
  return (
    <div className="editor">
      <form ref={form} className="form" onSubmit={(event) => event.preventDefault()}>
        <ServiceFields {...fields} errors={errorsOf(problem)} />
      </form>
      <DraftTrial definition={fields.definition} replaces={replaces} />
    </div>
  );
}
