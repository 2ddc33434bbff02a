{{- define "tessera.fullname" -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 40 | trimSuffix "-" -}}
{{- else -}}
{{- $name := default .Chart.Name .Values.nameOverride -}}
{{- ternary .Release.Name (printf "%s-%s" .Release.Name $name) (contains $name .Release.Name) | trunc 40 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{- define "tessera.serviceAccount" -}}
{{- default (ternary (include "tessera.fullname" .) "default" .Values.serviceAccount.create) .Values.serviceAccount.name -}}
{{- end -}}

{{- define "tessera.image" -}}
{{- $repository := required "image.repository is required: build the Dockerfile and push the image to a registry of yours" .Values.image.repository -}}
{{- if .Values.image.digest -}}
{{ $repository }}@{{ .Values.image.digest }}
{{- else -}}
{{ $repository }}:{{ default .Chart.AppVersion .Values.image.tag }}
{{- end -}}
{{- end -}}

{{/* The applications that are enabled, as JSON: their values, and what follows from them. */}}
{{- define "tessera.components" -}}
{{- $root := . -}}
{{- $found := list -}}
{{- range $name := list "sso" "config-server" -}}
{{- $isSso := eq $name "sso" -}}
{{- $values := ternary $root.Values.sso $root.Values.configServer $isSso -}}
{{- if $values.enabled -}}
{{- $baseUrl := "" -}}
{{- if $isSso -}}
{{- $baseUrl = required "sso.baseUrl is required: the https URL that users reach, such as https://login.example.org/cas" $values.baseUrl -}}
{{- end -}}
{{- $derived := dict
  "name" $name
  "fullname" (printf "%s-%s" (include "tessera.fullname" $root) $name)
  "prefix" (ternary "SSO" "CONFIG_SERVER" $isSso)
  "port" (ternary 8080 8888 $isSso)
  "managementPort" (ternary 8081 8889 $isSso)
  "contextPath" (get (urlParse $baseUrl) "path") -}}
{{- $found = append $found (merge $derived $values) -}}
{{- end -}}
{{- end -}}
{{- toJson $found -}}
{{- end -}}

{{/* Labels that select the pods of an application. Argument: root and component. */}}
{{- define "tessera.selectorLabels" -}}
app.kubernetes.io/name: {{ .root.Chart.Name }}
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component.name }}
{{- end -}}

{{- define "tessera.commonLabels" -}}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version | replace "+" "_" }}
{{- end -}}

{{- define "tessera.labels" -}}
{{ include "tessera.selectorLabels" . }}
{{ include "tessera.commonLabels" .root }}
{{- end -}}

{{/*
Settings as YAML. A ConfigMap is no place for a secret: one that is not a {cipher} value fails.
Argument: where (for the error) and settings.
*/}}
{{- define "tessera.settings" -}}
{{- $text := toYaml .settings -}}
{{- $secret := "(?m)^\\s*(?:- )?['\"]?(?:[\\w.-]*[.-])?(?:password|passphrase|token|secret|secret-id|encrypt\\.key|login\\.keys)['\"]?: *['\"]?(?:[^\\s'\"{]|\\{[^c])" -}}
{{- $nested := "(?m)^encrypt:\\n(?:  .*\\n)*?  key: *['\"]?[^\\s'\"{]" -}}
{{- $url := "://[^/\\s:@]+:[^/\\s@]+@" -}}
{{- if or (regexMatch $secret $text) (regexMatch $nested $text) (regexMatch $url $text) -}}
{{- fail (printf "%s has a password, a token or another secret: put it into a Secret, and name that in existingSecret" .where) -}}
{{- end -}}
{{- $text -}}
{{- end -}}

{{/* The most connections to PostgreSQL: 18 for each pod, and one more pod while a new version is rolled out. */}}
{{- define "tessera.connections" -}}
{{- $pods := ternary .autoscaling.maxReplicas .replicas .autoscaling.enabled -}}
{{- mul 18 (add 1 $pods) -}}
{{- end -}}
