// The methods of a path, from the router's own table.
import type { IRoute, Request } from 'express';

/** What Express has of a layer, beyond its published types. */
interface Layer {
  readonly route?: IRoute;
  match(path: string): unknown;
}

/** In the order of `Allow`. */
const METHODS = ['get', 'head', 'post', 'put', 'patch', 'delete'];

/**
 * The methods of the first route at the path of a request, for `Allow`: `GET, HEAD, POST`. Undefined for a path without a
 * route, and where the method of the request is among them. Also names the route to metrics and traces.
 *
 * A later route that also matches the path, as `services/:id` matches `services/convert`, is another resource.
 * GET includes HEAD. A handler for HEAD refuses it. A handler of all methods does not count: it refuses some itself.
 */
export function allowedMethods(request: Request): string | undefined {
  const path = request.baseUrl + request.path;
  const layers = request.app.router.stack as unknown as readonly Layer[];
  const routes = layers.flatMap((layer) =>
    layer.route !== undefined && !isForAll(layer.route) && layer.match(path) ? [layer.route] : [],
  );
  const [route] = routes;
  const found = new Set(
    routes.filter((each) => shapeOf(each) === shapeOf(route)).flatMap(methodsOf),
  );
  if (!found.delete('head') && found.has('get')) found.add('head');
  if (route === undefined || found.has(request.method.toLowerCase())) return undefined;
  Object.assign(request, { route });
  return METHODS.filter((method) => found.has(method))
    .join(', ')
    .toUpperCase();
}

/** Its path, whatever the names of the parameters: each controller names them as it likes. */
function shapeOf(route: IRoute | undefined): string | undefined {
  return route?.path.replaceAll(/:\w+/g, ':');
}

function methodsOf({ stack }: IRoute): readonly string[] {
  return stack.map(({ method }) => method);
}

/** Express registers a handler of all methods for each of them. */
function isForAll(route: IRoute): boolean {
  return methodsOf(route).includes('trace');
}
