// Decodes a ServiceMonitor or PrometheusRule from standard input into the types of the Prometheus operator, and
// refuses fields that these do not have.
package main

import (
	"fmt"
	"io"
	"os"

	monitoring "github.com/prometheus-operator/prometheus-operator/pkg/apis/monitoring/v1"
	"sigs.k8s.io/yaml"
)

func main() {
	if err := check(); err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
}

func check() error {
	document, err := io.ReadAll(os.Stdin)
	if err != nil {
		return err
	}
	var found struct{ Kind string }
	if err := yaml.Unmarshal(document, &found); err != nil {
		return err
	}
	switch found.Kind {
	case monitoring.ServiceMonitorsKind:
		return yaml.UnmarshalStrict(document, new(monitoring.ServiceMonitor))
	case monitoring.PrometheusRuleKind:
		return yaml.UnmarshalStrict(document, new(monitoring.PrometheusRule))
	default:
		return fmt.Errorf("unknown kind %q", found.Kind)
	}
}
