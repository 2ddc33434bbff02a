// Profile expressions: `prod & !(eu | us)`.

/** Whether the expression holds for the active profiles. */
export type ProfileExpression = (isActive: (profile: string) => boolean) => boolean;

/** Of groups and negations. */
const MAX_NESTING = 50;

/**
 * Parses names joined by `&` or `|`, negated by `!` and grouped by parentheses. As in Spring, `&` beside `|` needs
 * parentheses. Names are case-sensitive. Undefined for an invalid expression.
 *
 * @see https://docs.spring.io/spring-framework/docs/6.2.x/javadoc-api/org/springframework/core/env/Profiles.html
 */
export function profileExpression(text: string): ProfileExpression | undefined {
  const tokens = new Tokens(text);
  const expression = joinedTerms(tokens, 0);
  return tokens.next === undefined ? expression : undefined;
}

class Tokens {
  readonly #texts: readonly string[];
  #read = 0;

  constructor(text: string) {
    this.#texts = (text.match(/&+|\|+|[()!]|[^()&|!]+/g) ?? [])
      .map((token) => token.trim().replace(/^[&|]+/, (operator) => operator.charAt(0)))
      .filter((token) => token !== '');
  }

  get next(): string | undefined {
    return this.#texts[this.#read];
  }

  take(): string | undefined {
    const token = this.next;
    this.#read += 1;
    return token;
  }
}

function joinedTerms(tokens: Tokens, depth: number): ProfileExpression | undefined {
  const terms = [term(tokens, depth)];
  const operator = tokens.next;
  while (tokens.next === '&' || tokens.next === '|') {
    if (tokens.take() !== operator) return undefined;
    terms.push(term(tokens, depth));
  }
  const known = terms.filter((each) => each !== undefined);
  if (known.length < terms.length) return undefined;
  return (isActive) =>
    operator === '&'
      ? known.every((holds) => holds(isActive))
      : known.some((holds) => holds(isActive));
}

function term(tokens: Tokens, depth: number): ProfileExpression | undefined {
  const token = tokens.take();
  if (token === undefined || depth > MAX_NESTING) return undefined;
  if (token === '!') {
    const negated = term(tokens, depth + 1);
    return negated && ((isActive) => !negated(isActive));
  }
  if (token === '(') {
    const group = joinedTerms(tokens, depth + 1);
    return tokens.take() === ')' ? group : undefined;
  }
  return /^[)&|]/.test(token) ? undefined : (isActive) => isActive(token);
}
