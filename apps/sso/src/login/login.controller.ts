// The route /login. @see CAS 3.0 §2.1, §2.2
import { Controller, Get, Post, Req, UseFilters, UseGuards } from '@nestjs/common';
import type { Request } from 'express';
import { type Answer, BodyForm, ClientAddresses, Form, RateLimit } from '@tessera/server';
import type { UsernamePasswordCredential } from '../authentication/authentication-handler.js';
import { isFlagSet } from '../protocol/protocol-parameters.js';
import { BrowserSession } from './browser-session.js';
import { LoginAnswers } from './login-answers.js';
import { LoginFlow } from './login-flow.js';
import type { Typed } from './login-forms.js';
import {
  CREDENTIAL_FIELDS,
  LoginQuery,
  type LoginRequest,
  NEW_PASSWORD_FIELDS,
} from './login-request.js';
import { PageErrorsFilter } from './page-errors.filter.js';
import type { NewPassword } from './password-flow.js';
import { SameOriginGuard } from './same-origin.guard.js';

const MAX_USERNAME_LENGTH = 255;
/** Fields of the form that are not passed to the authentication handlers beside the credential. */
const OWN_FIELDS = [...CREDENTIAL_FIELDS, 'execution', '_eventId', 'warn', 'rememberMe'];

@Controller('login')
@UseFilters(PageErrorsFilter)
export class LoginController {
  constructor(
    private readonly flow: LoginFlow,
    private readonly answers: LoginAnswers,
    private readonly session: BrowserSession,
    private readonly addresses: ClientAddresses,
  ) {}

  /** HEAD is answered as without a session, because a granted ticket would be lost. */
  @Get()
  async show(@LoginQuery() login: LoginRequest, @Req() request: Request): Promise<Answer> {
    const session = request.method === 'HEAD' ? undefined : await this.session.of(request);
    const outcome = await this.flow.begin(login, session);
    return this.answers.to({ request, login }, outcome);
  }

  @Post()
  @UseGuards(SameOriginGuard)
  @RateLimit('login-form')
  async submit(
    @LoginQuery() requested: LoginRequest,
    @BodyForm() form: Form,
    @Req() request: Request,
  ): Promise<Answer> {
    const state = await this.flow.openForm(form.one('execution') ?? '');
    // The form for a new password is for the user who has given the old one.
    const typed = state && 'typed' in state ? state.typed : typedIn(form);
    const login = state?.login ?? requested;
    const outcome = await this.flow.submit({
      state,
      login,
      credential: credentialIn(form),
      newPassword: newPasswordIn(form),
      event: form.one('_eventId') === 'change-password' ? 'change-password' : 'submit',
      typed,
      clientAddress: this.addresses.of(request),
      session: await this.session.of(request),
    });
    return this.answers.to({ request, login, typed }, outcome);
  }
}

function typedIn(form: Form): Typed {
  return {
    username: form.line('username', MAX_USERNAME_LENGTH) ?? '',
    warn: isFlagSet(form.one('warn')),
    rememberMe: isFlagSet(form.one('rememberMe')),
  };
}

function newPasswordIn(form: Form): NewPassword | undefined {
  const [current, chosen, repeated] = NEW_PASSWORD_FIELDS.map((name) => form.one(name));
  return current && chosen && repeated ? { current, chosen, repeated } : undefined;
}

function credentialIn(form: Form): UsernamePasswordCredential | undefined {
  const username = form.one('username');
  const password = form.one('password');
  if (!username || !password) return undefined;
  const others = form.except(...OWN_FIELDS);
  return { type: 'UsernamePasswordCredential', username, password, form: others };
}
