// The route /login. @see CAS 3.0 §2.1, §2.2
import { Controller, Get, Post, Req, UseFilters, UseGuards } from '@nestjs/common';
import type { Request } from 'express';
import { type Answer, BodyForm, ClientAddresses, Form, RateLimit } from '@tessera/server';
import type { UsernamePasswordCredential } from '../authentication/authentication-handler.js';
import { isFlagSet } from '../protocol/protocol-parameters.js';
import { BrowserSession } from './browser-session.js';
import { LoginAnswers } from './login-answers.js';
import { LoginFlow } from './login-flow.js';
import { LoginQuery, type LoginRequest } from './login-request.js';
import { PageErrorsFilter } from './page-errors.filter.js';
import { SameOriginGuard } from './same-origin.guard.js';

const MAX_USERNAME_LENGTH = 255;
/** Fields of the form that are not passed to the authentication handlers beside the credential. */
const OWN_FIELDS = ['username', 'password', 'execution', '_eventId', 'warn', 'rememberMe'];

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
    const username = form.line('username', MAX_USERNAME_LENGTH) ?? '';
    const warn = isFlagSet(form.one('warn'));
    const rememberMe = isFlagSet(form.one('rememberMe'));
    const credential = credentialIn(form);
    const state = await this.flow.openForm(form.one('execution') ?? '');
    const login = state?.login ?? requested;
    const outcome = await this.flow.submit({
      state,
      login,
      credential,
      rememberMe,
      clientAddress: this.addresses.of(request),
      session: await this.session.of(request),
    });
    const typed = { username, warn, rememberMe };
    return this.answers.to({ request, login, typed }, outcome);
  }
}

function credentialIn(form: Form): UsernamePasswordCredential | undefined {
  const username = form.one('username');
  const password = form.one('password');
  if (!username || !password) return undefined;
  const others = form.except(...OWN_FIELDS);
  return { type: 'UsernamePasswordCredential', username, password, form: others };
}
